// Runs capconform and two versions of the official suite on one server, and writes out/table.md:
//
//   node side.mjs CAPCONFORM [EDITION [DEFECT...]]
//
// A suite finds a defect if it reports a failure or a warning that it does not report without the defect. A defect counts
// if the proxy edited an answer. Each suite has a server of its own, so that the suites run at once; the first run of each,
// without a defect, is alone. out/EDITION/defects.json keeps the results, which a run with some DEFECTs renews.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { serve } from './proxy.mjs'

const [capconform, edition, ...names] = process.argv.slice(2)
const editions = edition ? [edition] : ['2025-11-25', '2026-07-28']
const suites = '../../../suites/mcp'
const today = new Date().toISOString().slice(0, 10)

// What stimuli of whole messages call, and those whose rows hold for each answer to a method.
const sends = { pings: 'ping', discoveries: 'server/discover' }
const asEach = ['discovery', 'handshakes', 'discoveries-at-once', 'pings-at-once']

// constant returns the row of a defect that is one constant edit of the answers to some methods, otherwise nothing. In
// the rows of messages, result is the whole message.
function constant({ defect, breaks, when = '', set = {}, remove = [], ...others }) {
  if ('lose' in others || 'refuse' in others || 'return' in others) return []
  const stimulus = /call\.stimulus == "([a-z-]+)"/.exec(when)?.[1]
  const list = /call\.operation (?:== ("[a-z/]+")|in \[([^\]]*)\])/.exec(when)
  const errors = list?.[1] === '"message"' && when.includes('"error" in call.result') && (!stimulus || when.includes('!('))
  const whole = errors || stimulus in sends
  const methods = stimulus in sends ? [sends[stimulus]] : list ? JSON.parse(`[${list[1] ?? list[2]}]`) : []
  if (!errors && (methods.length === 0 || methods[0] === 'message' || stimulus && !whole && !asEach.includes(stimulus)) ||
    when.includes('call.sent')) return []
  const place = path => (whole ? path.replace(/^result\.?/, '') : path)
  try {
    return [{ name: defect, breaks, methods: errors ? null : methods, remove: remove.map(place), date: today,
      set: Object.entries(set).map(([path, text]) => [place(path), JSON.parse(text)]) }]
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

// The suites, each with the way to run it on a URL; the older official one does not know the newer edition.
const examine = {
  ours: (url, of, out) => ours(url, of, `${out}/ours`),
  'ours, --invoke all': (url, of, out) => ours(url, of, `${out}/all`, '--invoke', 'all'),
  '0.1.16': (url, of, out) => official('@modelcontextprotocol/conformance', url, `${out}/official`),
  '0.2.0-alpha.12': (url, of, out) => official('conformance-next', url, `${out}/next`, '--requirements', of),
}
const columns = Object.keys(examine)
const knowing = of => columns.filter(name => of === '2025-11-25' || name !== '0.1.16')

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

// examined runs a suite on a server, through a proxy that makes a defect if there is one.
async function examined(name, server, of, out, row) {
  mkdirSync(out, { recursive: true })
  const proxy = await serve(server.url, row)
  const result = await examine[name](proxy.url, of, out)
  proxy.close()
  return { ...result, edits: proxy.edits }
}

const lines = [`| | ${columns.join(' | ')} |`, '|---|---|---|---|---|']
const line = (name, cell) => lines.push(`| ${name} | ${columns.map(cell).join(' | ')} |`)
for (const of of editions) {
  const own = knowing(of)
  const servers = Object.fromEntries(await Promise.all(own.map(async name => [name, await fixtures(of)])))
  const before = {} // one at a time, for the times
  for (const name of own) before[name] = await examined(name, servers[name], of, `out/${of}/none`)
  const kept = `out/${of}/defects.json`
  const all = existsSync(kept) && names.length > 0 ? JSON.parse(readFileSync(kept)) : {}
  for (const row of rows(of)) {
    const after = await Promise.all(own.map(name => examined(name, servers[name], of, `out/${of}/${row.name}`, row)))
    const by = own.filter((name, i) => after[i].bad.some(one => !before[name].bad.includes(one)))
    const sent = after.some(one => one.edits > 0)
    all[row.name] = { breaks: row.breaks, date: row.date, by, sent }
    console.log(`${of} ${row.name}: ${sent ? by.join('; ') || 'nobody' : 'the server sends nothing of it'}`)
    writeFileSync(kept, JSON.stringify(all, null, 1))
  }
  for (const server of Object.values(servers)) server.close()
  const counted = Object.values(all).filter(one => one.sent)
  line(`**${of}**`, () => '')
  line('the server as it is', name => before[name]?.says ?? '')
  line(`defects found, of ${counted.length}`, name => (before[name] ? counted.filter(one => one.by.includes(name)).length : ''))
  line('time of one run', name => (before[name] ? `${before[name].seconds.toFixed(1)} s` : ''))
}
writeFileSync('out/table.md', lines.join('\n') + '\n')
console.log(lines.join('\n'))
