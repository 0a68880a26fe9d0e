// Checks one examination, independently of the code that made its reports:
//
//   node verify.mjs NAME REPORT.json REPORT.xml EXPECTED
//
// The report document is valid by its schema (ajv). A JUnit reader counts in the
// XML what the document says. Each requirement has the status that EXPECTED gives
// it: a table written by hand, or the report of another examination (*.json). A table
// also says what was called and how often ("calls NAME COUNT", or "calls NAME LEAST-MOST" where the harness leaves out
// larger numbers if a smaller one took time), and nothing else may be.
import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'junit2json'

const [name, reportPath, junitPath, expectedPath] = process.argv.slice(2)
const schemaURL = new URL('../schemas/report/report.schema.json', import.meta.url)

const read = path => readFileSync(path, 'utf8')
const faults = []
const demand = (sound, fault) => sound || faults.push(fault)

function validate(report) {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  addFormats(ajv)
  const valid = ajv.compile(JSON.parse(read(schemaURL)))
  if (valid(report)) return
  for (const e of valid.errors) faults.push(`the document breaks its schema at ${e.instancePath || '/'}: ${e.message}`)
}

function requirements(report) {
  return new Map(report.suites.flatMap(s => s.requirements).map(q => [q.id, q]))
}

// The statuses of a table: id, status, and a reason, which is for the reader.
function table(text) {
  const lines = text.split('\n').filter(line => line.trim() && !/^(#|calls )/.test(line))
  return new Map(lines.map(line => {
    const [id, status, ...reason] = line.split(/\s+/)
    demand(reason.length > 0, `${id} has no reason in ${expectedPath}`)
    return [id, status]
  }))
}

function expected(path) {
  if (!path.endsWith('.json')) return table(read(path))
  return new Map([...requirements(JSON.parse(read(path)))].map(([id, q]) => [id, q.status]))
}

function compare(got, want) {
  for (const [id, status] of want) {
    const is = got.get(id)
    if (!is) faults.push(`${id} is not in the report; ${status} was expected`)
    else demand(is.status === status, `${id} is ${is.status}, expected ${status}: ${is.reason || 'no reason given'}`)
  }
  for (const [id, q] of got) demand(want.has(id), `${id} is ${q.status} and not in ${expectedPath}`)
}

function calls(report, text) {
  const want = new Map([...text.matchAll(/^calls +(\S+) +(\d+)(?:-(\d+))?$/gm)].map(([, name, least, most]) => [name, [Number(least), Number(most ?? least)]]))
  demand(want.size > 0, `${expectedPath} does not say what is called`)
  const is = new Map(report.suites.flatMap(s => s.invoked).map(one => [one.capability, one.calls]))
  for (const name of new Set([...want.keys(), ...is.keys()])) {
    const count = is.get(name) ?? 0
    const [least, most] = want.get(name) ?? [0, 0]
    demand(count >= least && count <= most, `${name || 'what is not listed'} was called ${count} times, expected ${least} to ${most}`)
  }
}

function ran(report) {
  demand(report.suites.length > 0, 'no suite was run')
  for (const s of report.suites) {
    demand(s.plan.executed > 0, `${s.suite}: nothing was executed`)
    demand(s.plan.executed === s.plan.planned, `${s.suite}: ${s.plan.executed} of ${s.plan.planned} scenarios were executed`)
    demand(s.counts.must.passed > 0, `${s.suite}: no MUST passed`)
  }
}

// In JUnit a requirement is a case; a broken SHOULD is shown as skipped.
function junitOutcome(q) {
  if (q.status === 'failed') return ['SHOULD', 'SHOULD NOT'].includes(q.level) ? 'skipped' : 'failure'
  return { passed: 'passed', provided: 'passed', error: 'error' }[q.status] ?? 'skipped'
}

function tally(outcomes) {
  const counts = { passed: 0, failure: 0, error: 0, skipped: 0 }
  for (const o of outcomes) counts[o]++
  return counts
}

async function junit(report) {
  const read1 = await parse(read(junitPath))
  const suites = read1.testsuite ?? []
  const cases = suites.flatMap(s => s.testcase ?? [])
  const kind = c => ['failure', 'error', 'skipped'].find(k => c[k] !== undefined) ?? 'passed'
  const counted = tally(cases.map(kind))
  const said = tally([...requirements(report).values()].map(junitOutcome))
  const sum = member => suites.reduce((n, s) => n + Number(s[member] ?? 0), 0)
  const declared = { failure: sum('failures'), error: sum('errors'), skipped: sum('skipped') }
  declared.passed = sum('tests') - declared.failure - declared.error - declared.skipped
  for (const outcome of Object.keys(said)) {
    demand(counted[outcome] === said[outcome], `junit has ${counted[outcome]} cases ${outcome}, the document ${said[outcome]}`)
    demand(declared[outcome] === said[outcome], `junit announces ${declared[outcome]} cases ${outcome}, the document has ${said[outcome]}`)
  }
}

const report = JSON.parse(read(reportPath))
validate(report)
ran(report)
const got = requirements(report)
compare(got, expected(expectedPath))
if (!expectedPath.endsWith('.json') && name !== 'published') calls(report, read(expectedPath))
if (junitPath !== '-') await junit(report)

if (faults.length > 0) {
  console.error(`${name}: not as expected`)
  for (const fault of faults) console.error(`  ${fault}`)
  process.exit(1)
}
const counts = {}
for (const q of got.values()) counts[q.status] = (counts[q.status] ?? 0) + 1
console.log(`${name}: ${got.size} requirements as expected (${Object.entries(counts).map(([s, n]) => `${n} ${s}`).join(', ')})`)
