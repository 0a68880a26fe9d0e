// A proxy in front of an MCP server over streamable HTTP. It edits the results of some methods as a row of
// suites/mcp/*/defects* says: row has methods, set (pairs of a path and a value) and remove (paths). Without methods, it
// edits errors.
import http from 'node:http'

const words = path => path.replace(/\[(\d*)\]/g, '.[$1]').split('.').filter(Boolean)

// edit calls change for each place of a path in a value.
function edit(value, [word, ...rest], change) {
  const index = /^\[(\d*)\]$/.exec(word)
  if (index ? !Array.isArray(value) : value === null || typeof value !== 'object' || Array.isArray(value)) return
  const keys = !index ? [word] : index[1] === '' ? [...value.keys()] : [Number(index[1])]
  for (const key of keys) {
    if (rest.length === 0) change(value, key)
    else if (key in value) edit(value[key], rest, change)
  }
}

function edited(text, method, row, count) {
  if (!row || row.methods && !row.methods.includes(method)) return text
  let message
  try { message = JSON.parse(text) } catch { return text }
  if (!message || !((row.methods ? 'result' : 'error') in message)) return text
  for (const [path, value] of row.set) edit(message, words(path), (at, key) => { at[key] = value; count() })
  for (const path of row.remove) {
    edit(message, words(path), (at, key) => { Array.isArray(at) ? at.splice(key, 1) : delete at[key]; count() })
  }
  return JSON.stringify(message)
}

// serve starts the proxy. The result has url, edits (how many were made) and close.
export async function serve(upstream, row) {
  const proxy = { edits: 0 }
  const count = () => { proxy.edits++ }
  const server = http.createServer((request, response) => {
    const parts = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      let method
      try { ({ method } = JSON.parse(body)) } catch { /* a GET or a DELETE */ }
      const to = new URL(request.url, upstream)
      const sent = http.request(to, { method: request.method, headers: { ...request.headers, host: to.host } }, answer => {
        const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers
        response.writeHead(answer.statusCode, headers)
        response.flushHeaders()
        const type = headers['content-type'] ?? ''
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', part => {
          text += part
          if (!type.startsWith('text/event-stream')) return
          const lines = text.split('\n')
          text = lines.pop()
          for (const line of lines) {
            response.write((line.startsWith('data:') ? 'data: ' + edited(line.slice(5).trim(), method, row, count) : line) + '\n')
          }
        })
        answer.on('end', () => response.end(type.startsWith('application/json') ? edited(text, method, row, count) : text))
      })
      sent.on('error', () => response.destroy())
      response.on('close', () => sent.destroy())
      sent.end(body)
    })
  })
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  proxy.url = `http://127.0.0.1:${server.address().port}/`
  proxy.close = () => { server.closeAllConnections(); server.close() }
  return proxy
}
