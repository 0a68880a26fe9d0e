// A server of MCP 2026-07-28 alone, made with the SDK for TypeScript: over stdio, or over HTTP at a port.
//   node modern.mjs [PORT]
import { createServer } from 'node:http'
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

function server() {
  const s = new McpServer({ name: 'modern', version: '1.0.0' })
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
  const inputSchema = z.object({ text: z.string().max(40) })
  s.registerTool('count_letters', { description: 'Returns the number of letters.', annotations, inputSchema, outputSchema: z.object({ letters: z.number() }) },
    ({ text }) => ({ content: [], structuredContent: { letters: text.length } }))
  return s
}

const port = Number(process.argv[2])
if (!port) {
  serveStdio(server, { legacy: 'reject' })
} else {
  const handler = createMcpHandler(server, { legacy: 'reject' })
  createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = await handler.fetch(new Request(`http://127.0.0.1:${port}${request.url}`, {
      method: request.method, headers: request.headers, body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
    }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  }).listen(port, '127.0.0.1')
}
