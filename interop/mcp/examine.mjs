// Examines the servers of servers.json, and compares each report with expected/NAME.txt:
//
//   node examine.mjs CAPCONFORM SUITE [NAME...]
//
// A table begins with "verdict WORD" and "revision DATE", if the target was reached, and has one line per failed
// requirement: the id and the cause. Lines that start with # are for the reader. Each server runs in a new
// git repository outside this one, as a user whose home is empty. Where unshare can take the network away, it does.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const [capconform, suite, ...names] = process.argv.slice(2)
const limit = 180_000
const offline = spawnSync('unshare', ['-n', 'true']).status === 0 ? ['unshare', '-n'] : []
const servers = JSON.parse(readFileSync('servers.json'))
const pinned = JSON.parse(readFileSync('package.json')).dependencies

function run(command, options) {
  return new Promise((done, fail) => {
    const stdio = ['ignore', 'pipe', 'pipe']
    const child = spawn(command[0], command.slice(1), { ...options, stdio, timeout: limit })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => { text += data })
    child.on('error', fail)
    child.on('close', status => done({ status, text }))
  })
}

// expected reads a table.
function expected(name) {
  const path = `expected/${name}.txt`
  const want = { failed: new Map() }
  if (!existsSync(path)) return want
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (!line.trim() || line.startsWith('#')) continue
    const [word, ...rest] = line.split(/\s+/)
    if (['verdict', 'revision'].includes(word)) want[word] = rest[0]
    else want.failed.set(word, rest.join(' '))
  }
  return want
}

function compare(server, report) {
  const want = expected(server.name)
  const faults = []
  const part = report.suites[0]
  if (report.verdict !== want.verdict) faults.push(`the verdict is ${report.verdict}, expected ${want.verdict}`)
  if (part?.negotiated !== want.revision) faults.push(`the revision is ${part?.negotiated}, expected ${want.revision}`)
  const bad = new Map()
  for (const q of part?.requirements ?? []) if (['failed', 'error'].includes(q.status)) bad.set(q.id, q)
  for (const [id, q] of bad) {
    if (q.status === 'error') faults.push(`${id} has no outcome: ${q.reason}`)
    else if (!want.failed.has(id)) faults.push(`${id} (${q.level}) failed and is not expected: ${q.reason}`)
  }
  for (const [id, cause] of want.failed) {
    if (!cause) faults.push(`${id} has no cause in expected/${server.name}.txt`)
    if (bad.get(id)?.status !== 'failed') faults.push(`${id} did not fail, expected: ${cause}`)
  }
  return faults
}

async function examine(server) {
  const faults = []
  if (pinned[server.package] !== server.version) faults.push(`package.json has ${pinned[server.package]}`)
  const out = resolve('out', server.name)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'interop-'))
  for (const name of ['home', 'files']) mkdirSync(`${folder}/${name}`)
  writeFileSync(`${folder}/files/hello.txt`, 'hello\n')
  spawnSync('git', ['init', '-q', folder])
  const command = server.command.map(word => (word.startsWith('node_modules/') ? resolve(word) : word))
  const report = `${out}/report.json`
  const began = Date.now()
  const { status, text } = await run([
    ...offline, capconform, 'run', '--suite', suite, '--invoke', server.invoke, '--name', server.name,
    '--timeout', '150s', '--call-timeout', '30s', '--report', `json=${report}`, '--record', `${out}/record.jsonl`,
    '--pass-env', 'MEMORY_FILE_PATH', '--pass-env', 'MEMORY_BANK_ROOT', '--', ...command,
  ], {
    cwd: folder,
    env: {
      ...process.env, HOME: `${folder}/home`, MEMORY_FILE_PATH: `${folder}/graph.json`,
      MEMORY_BANK_ROOT: `${folder}/files`,
    },
  })
  rmSync(folder, { recursive: true, force: true })
  writeFileSync(`${out}/console.txt`, text)
  if (existsSync(report)) faults.push(...compare(server, JSON.parse(readFileSync(report))))
  else faults.push(`no report, exit status ${status}: ${text.slice(0, 300)}`)
  return { faults, seconds: Math.round((Date.now() - began) / 1000), status }
}

const chosen = servers.filter(server => names.length === 0 || names.includes(server.name))
let wrong = 0
for (const server of chosen) {
  const { faults, seconds, status } = await examine(server)
  const word = faults.length ? 'DIFFERS' : 'as expected'
  console.log(`${server.name} ${server.version}: ${word}, exit status ${status}, ${seconds}s`)
  for (const fault of faults) console.log(`  ${fault}`)
  if (faults.length) wrong++
}
console.log(`${chosen.length} servers, ${wrong} differ`)
process.exit(wrong || chosen.length === 0 ? 1 : 0)
