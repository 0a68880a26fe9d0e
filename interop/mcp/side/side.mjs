// Runs capconform and two versions of the official suite on one server, and writes out/table.md:
//
//   node side.mjs CAPCONFORM [EDITION [DEFECT...]]
//
// A suite finds a defect if it reports a failure or a warning that it does not report without the defect. A defect counts
// if the proxy edited an answer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { serve } from './proxy.mjs'

const [capconform, edition, ...names] = process.argv.slice(2)
const editions = edition ? [edition] : ['2025-11-25', '2026-07-28']
const suites = '../../../suites/mcp'

// constant returns the row of a defect that is one constant edit of the results of one method, otherwise nothing.
function constant({ defect, breaks, when = '', set = {}, remove = [], ...others }) {
  const method = /call\.operation == "([a-z/]+)"/.exec(when)?.[1]
  if (!method || when.includes('stimulus') || 'lose' in others || 'refuse' in others || 'return' in others) return []
  try {
    return [{ name: defect, breaks, method, remove, set: Object.entries(set).map(([path, text]) => [path, JSON.parse(text)]) }]
  } catch { return [] } // the value depends on the answer
}

function rows(of) {
  const files = ['common', of].flatMap(folder => [`${suites}/${folder}/defects.yaml`,
    ...(existsSync(`${suites}/${folder}/defects`) ? readdirSync(`${suites}/${folder}/defects`)
      .map(file => `${suites}/${folder}/defects/${file}`) : [])])
  return files.filter(file => existsSync(file)).flatMap(file => parse(readFileSync(file, 'utf8')).flatMap(constant))
    .filter(({ name }) => names.length === 0 || names.includes(name))
}

async function run(command, log) {
  const began = Date.now()
  const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], timeout: 150_000 })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => { text += data })
  await once(child, 'close')
  writeFileSync(log, text)
  return { text, seconds: (Date.now() - began) / 1000 }
}

// ours returns the requirements that are broken, and what the verdict was.
async function ours(url, of, out, ...flags) {
  const report = `${out}.json`
  const { seconds } = await run([capconform, 'run', '--suite', 'mcp', '--edition', of, ...flags, '--report', `json=${report}`,
    `mcp+${url}`], `${out}.txt`)
  const { verdict, suites: [part] } = JSON.parse(readFileSync(report))
  const bad = part.requirements.filter(q => q.status === 'failed').map(q => q.id)
  return { bad, seconds, says: `${verdict}${bad.length ? ': ' + bad.join(', ') : ''}` }
}

// official returns the scenarios with failures, each with their number.
async function official(name, url, out, ...flags) {
  const { text, seconds } = await run([process.execPath, `node_modules/${name}/dist/index.js`, 'server', '--url', url,
    ...flags, '-o', out], `${out}.txt`)
  const bad = [...text.matchAll(/[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/g)].filter(m => m[3] !== '0')
    .map(m => `${m[1]} ${m[3]}`)
  return { bad, seconds, says: bad.length ? `fails: ${bad.join(', ')}` : 'no failure' }
}

// examined runs every suite on a server; those that do not know the edition are missing.
async function examined(url, of, out) {
  mkdirSync(out, { recursive: true })
  return {
    ours: await ours(url, of, `${out}/ours`),
    'ours, --invoke all': await ours(url, of, `${out}/all`, '--invoke', 'all'),
    ...(of === '2025-11-25' && { '0.1.16': await official('@modelcontextprotocol/conformance', url, `${out}/official`) }),
    '0.2.0-alpha.12': await official('conformance-next', url, `${out}/next`, '--requirements', of),
  }
}

// fixtures starts the server. The older revision has requests of the server, which need a session.
async function fixtures(of) {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  const child = spawn('out/fixtures', ['-http', `127.0.0.1:${port}`, `-stateless=${of !== '2025-11-25'}`], { stdio: 'ignore' })
  for (let tries = 0; tries < 100; tries++) {
    try { await fetch(`http://127.0.0.1:${port}/`); break } catch { await new Promise(done => setTimeout(done, 100)) }
  }
  return { url: `http://127.0.0.1:${port}/`, close: () => child.kill() }
}

const columns = ['ours', 'ours, --invoke all', '0.1.16', '0.2.0-alpha.12']
const lines = [`| | ${columns.join(' | ')} |`, '|---|---|---|---|---|']
const line = (name, cell) => lines.push(`| ${name} | ${columns.map(cell).join(' | ')} |`)
for (const of of editions) {
  const server = await fixtures(of)
  const plain = await serve(server.url)
  const before = await examined(plain.url, of, `out/${of}/none`)
  plain.close()
  const found = Object.fromEntries(columns.map(name => [name, []]))
  const counted = []
  for (const row of rows(of)) {
    const proxy = await serve(server.url, row)
    const after = await examined(proxy.url, of, `out/${of}/${row.name}`)
    proxy.close()
    const by = Object.keys(after).filter(name => after[name].bad.some(one => !before[name].bad.includes(one)))
    console.log(`${of} ${row.name}: ${proxy.edits ? by.join('; ') || 'nobody' : 'the server sends nothing of it'}`)
    if (!proxy.edits) continue
    counted.push(row)
    for (const name of by) found[name].push(row.name)
  }
  server.close()
  line(`**${of}**`, () => '')
  line('the server as it is', name => before[name]?.says ?? '')
  line(`defects found, of ${counted.length}`, name => (before[name] ? found[name].length : ''))
  line('time of one run', name => (before[name] ? `${before[name].seconds.toFixed(1)} s` : ''))
}
writeFileSync('out/table.md', lines.join('\n') + '\n')
console.log(lines.join('\n'))
