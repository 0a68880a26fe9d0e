// Checks every format that was derived from one report, by the schema or the
// reader that its own project gives, and that all say the same:
//
//   node formats.mjs NAME FOLDER
//
// FOLDER holds report.json and the formats beside it, named report.EXTENSION. A
// partial report has no badge and no statement, any other has both.
import { existsSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import path from 'node:path'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse as readJUnit } from 'junit2json'
import { Parser as TAPParser } from 'tap-parser'

const [name, folder] = process.argv.slice(2)
const faults = []
const demand = (sound, fault) => sound || faults.push(fault)
const text = extension => readFileSync(path.join(folder, `report${extension}`), 'utf8')
const json = extension => JSON.parse(text(extension))
const packaged = (module, file) => JSON.parse(readFileSync(new URL(`./node_modules/${module}/${file}`, import.meta.url), 'utf8'))

const report = json('.json')
const requirements = report.suites.flatMap(s => s.requirements)
const unfinished = Boolean(report.run.stopped || report.run.interrupted || report.suites.length === 0)

// What a requirement is for a reader: one word.
function word(q) {
  if (['failed', 'error'].includes(q.status) && report.run.baseline?.tolerated.includes(q.id)) return 'known'
  if (q.status !== 'failed') return q.status
  if (['SHOULD', 'SHOULD NOT'].includes(q.level)) return report.run.strict ? 'failed' : 'warning'
  return ['MAY', 'ADVICE'].includes(q.level) ? 'advice' : 'failed'
}

function tally(items) {
  const counts = {}
  for (const i of items) counts[i] = (counts[i] ?? 0) + 1
  return counts
}

const words = tally(requirements.map(word))
const number = (...names) => names.reduce((n, w) => n + (words[w] ?? 0), 0)

function same(format, what, got, want) {
  demand(got === want, `${format}: ${what} is ${got}, the document says ${want}`)
}

function validate(format, ajv, schema, value, place = '') {
  const valid = ajv.compile(schema) // once for each schema: ajv keeps it
  if (valid(value)) return
  for (const e of valid.errors.slice(0, 5)) faults.push(`${format}: ${place}${e.instancePath || '/'} ${e.message} ${JSON.stringify(e.params)}`)
}

function lenient(Class) {
  const ajv = new Class({ allErrors: true, strict: false, unicodeRegExp: false, logger: false })
  addFormats(ajv)
  return ajv
}

function outcome(format, said) {
  same(format, 'the verdict', said.verdict, report.verdict)
  same(format, 'the number of suites', said.suites.length, report.suites.length)
  report.suites.forEach((s, i) => {
    same(format, `the verdict of ${s.suite}`, said.suites[i].verdict, s.verdict)
    same(format, `the counts of ${s.suite}`, JSON.stringify(said.suites[i].counts), JSON.stringify(s.counts))
  })
}

function ctrf() {
  const doc = json('.ctrf.json')
  validate('ctrf', lenient(Ajv), packaged('ctrf', 'dist/ctrf-schema-0.0.json'), doc)
  outcome('ctrf', doc.extra)
  const s = doc.results.summary
  const counted = tally(doc.results.tests.map(t => t.status))
  for (const status of ['passed', 'failed', 'skipped', 'other']) same('ctrf', `what is ${status}`, counted[status] ?? 0, s[status])
  same('ctrf', 'what is passed', s.passed, number('passed', 'provided'))
  same('ctrf', 'what is failed', s.failed, number('failed'))
  same('ctrf', 'what is skipped', s.skipped, number('not_applicable', 'excluded'))
  same('ctrf', 'what is other', s.other, number('error', 'known', 'warning', 'advice', 'inconclusive') + (unfinished ? 1 : 0))
}

async function junit() {
  const doc = await readJUnit(text('.xml'))
  const suites = doc.testsuite ?? []
  const cases = suites.flatMap(s => s.testcase ?? [])
  const kinds = tally(cases.map(c => ['failure', 'error', 'skipped'].find(k => c[k] !== undefined) ?? 'passed'))
  const sum = member => suites.reduce((n, s) => n + Number(s[member] ?? 0), 0)
  same('junit', 'what is failed', kinds.failure ?? 0, number('failed'))
  same('junit', 'the failures announced', sum('failures'), number('failed'))
  same('junit', 'what is an error', kinds.error ?? 0, number('error') + (unfinished ? 1 : 0))
  same('junit', 'the errors announced', sum('errors'), kinds.error ?? 0)
  same('junit', 'what is passed', kinds.passed ?? 0, number('passed', 'provided'))
  for (const s of suites) {
    const verdict = (s.properties ?? []).find(p => p.name === 'run_verdict')
    same('junit', 'the verdict', verdict?.value, report.verdict)
  }
}

// A reader that is neither ours nor that of verify.mjs counts the cases itself.
async function junitElsewhere() {
  const { convertJUnitToCTRFReport } = await import('junit-to-ctrf')
  const doc = await convertJUnitToCTRFReport(path.join(folder, 'report.xml'), {})
  if (!doc) return demand(requirements.length === 0, 'junit: junit-to-ctrf finds nothing')
  same('junit', 'what junit-to-ctrf finds failed', doc.results.summary.failed, number('failed', 'error') + (unfinished ? 1 : 0))
  same('junit', 'what junit-to-ctrf finds passed', doc.results.summary.passed, number('passed', 'provided'))
}

function cucumber() {
  const ajv = lenient(Ajv2020)
  const schema = packaged('@cucumber/messages', 'messages.schema.json')
  const lines = text('.ndjson').trimEnd().split('\n').map(line => JSON.parse(line))
  lines.forEach((line, i) => validate('cucumber', ajv, schema, line, `line ${i + 1}: `))
  const all = kind => lines.map(line => line[kind]).filter(Boolean)
  const scenarios = requirements.flatMap(q => q.scenarios.map(sc => word({ id: q.id, status: sc.status, level: q.level })))
  same('cucumber', 'the number of test cases', all('testCaseFinished').length, scenarios.length)
  const worst = new Map()
  for (const f of all('testStepFinished')) {
    const status = f.testStepResult.status
    const before = worst.get(f.testCaseStartedId) ?? 'PASSED'
    if (before === 'PASSED') worst.set(f.testCaseStartedId, status)
  }
  const counted = tally(worst.values())
  const want = tally(scenarios.map(w => ({
    passed: 'PASSED', provided: 'PASSED', failed: 'FAILED', error: 'UNKNOWN', inconclusive: 'PENDING',
  })[w] ?? 'SKIPPED'))
  for (const status of ['PASSED', 'FAILED', 'UNKNOWN', 'PENDING', 'SKIPPED']) same('cucumber', `what is ${status}`, counted[status] ?? 0, want[status] ?? 0)
  const pickles = new Set(all('pickle').map(p => p.id))
  demand(all('testCase').every(t => pickles.has(t.pickleId)), 'cucumber: a test case has no pickle')
  const end = all('testRunFinished')
  same('cucumber', 'the number of ends', end.length, 1)
  same('cucumber', 'success', end[0].success, ['conformant', 'partial'].includes(report.verdict))
  demand(end[0].message.startsWith(`capconform: ${report.verdict}`), `cucumber: the end says ${end[0].message}`)
}

function tap() {
  const points = []
  let invalid = 0
  const listen = (parser, depth) => {
    parser.on('assert', a => points.push({ depth, ...a }))
    parser.on('child', child => listen(child, depth + 1))
    parser.on('extra', line => { invalid += line.trim() ? 1 : 0 })
  }
  const parser = new TAPParser({ strict: true })
  listen(parser, 0)
  let result
  parser.on('complete', r => { result = r })
  parser.end(text('.tap'))
  const deep = points.filter(p => p.depth === 1)
  same('tap', 'lines that are no TAP', invalid, 0)
  same('tap', 'the number of points', deep.length, requirements.length)
  same('tap', 'what is passed', deep.filter(p => p.ok && !p.skip && !p.todo).length, number('passed', 'provided'))
  same('tap', 'what is failed', deep.filter(p => !p.ok && !p.todo).length, number('failed', 'error'))
  same('tap', 'what is skipped', deep.filter(p => p.skip).length, number('not_applicable', 'excluded'))
  same('tap', 'what is left to do', deep.filter(p => p.todo).length, number('known', 'warning', 'advice', 'inconclusive'))
  const parents = points.filter(p => p.depth === 0)
  same('tap', 'the number of points above', parents.length, report.suites.length + (unfinished ? 1 : 0))
  if (unfinished) demand(!parents.at(-1).ok, 'tap: the run came to its end')
  report.suites.forEach((s, i) => same('tap', `the point of ${s.suite}`, parents[i]?.ok, ['conformant', 'partial'].includes(s.verdict)))
  same('tap', 'the result', Boolean(result?.ok), report.suites.every(s => ['conformant', 'partial'].includes(s.verdict)) && !unfinished)
}

function sarif() {
  const doc = json('.sarif')
  validate('sarif', lenient(Ajv), packaged('schemastore', 'schemas/json/sarif-2.1.0.json'), doc)
  const run = doc.runs[0]
  outcome('sarif', run.properties)
  same('sarif', 'the number of rules', run.tool.driver.rules.length, requirements.length)
  const ids = (...levels) => new Set(run.results.filter(r => levels.includes(`${r.kind} ${r.level}`)).map(r => r.ruleId)).size
  same('sarif', 'what is failed', ids('fail error'), number('failed'))
  same('sarif', 'what warns', ids('fail warning'), number('warning'))
  same('sarif', 'what is advice', ids('fail note'), number('advice', 'known'))
  same('sarif', 'what is open', ids('open none'), number('error', 'inconclusive'))
  same('sarif', 'success', run.invocations[0].executionSuccessful, !unfinished)
}

const shields = {
  $id: 'badge', type: 'object', additionalProperties: false, required: ['schemaVersion', 'label', 'message'],
  properties: {
    schemaVersion: { const: 1 }, label: { type: 'string', minLength: 1 }, message: { type: 'string', minLength: 1 },
    color: { enum: ['brightgreen', 'red', 'yellow'] }, isError: { type: 'boolean' },
  },
}

function badge() {
  const doc = json('.badge.json')
  validate('badge', lenient(Ajv), shields, doc)
  demand(doc.label === 'examined by capconform', `badge: it is of ${doc.label}`)
  demand(doc.color === { conformant: 'brightgreen', nonconformant: 'red', incomplete: 'yellow' }[report.verdict], `badge: it is ${doc.color}`)
  demand(/\d+ of \d+ MUSTs? kept|no MUST was judged|nothing was examined/.test(doc.message), `badge: it says ${doc.message}`)
}

function intoto() {
  const doc = json('.intoto.json')
  same('intoto', 'the digest', doc.subject[0].digest.sha256, createHash('sha256').update(text('.json')).digest('hex'))
  outcome('intoto', doc.subject[0].annotations)
  const p = doc.predicate
  same('intoto', 'what is passed', p.passedTests.length, number('passed', 'provided'))
  same('intoto', 'what is warned', p.warnedTests.length, number('warning', 'advice'))
  same('intoto', 'what is failed', p.failedTests.length, number('failed', 'error', 'known'))
  same('intoto', 'that it is passed', p.result !== 'FAILED', report.verdict === 'conformant')
}

function summaries() {
  for (const extension of ['.md', '.html']) demand(text(extension).includes(report.verdict), `${extension}: the verdict is missing`)
}

ctrf()
await junit()
await junitElsewhere()
cucumber()
tap()
sarif()
summaries()
if (report.run.partial) {
  for (const extension of ['.badge.json', '.intoto.json']) demand(!existsSync(path.join(folder, `report${extension}`)), `a partial run has ${extension}`)
} else {
  badge()
  intoto()
}
if (faults.length > 0) {
  console.error(`${name}: formats that are not valid, or say something else`)
  for (const fault of faults) console.error(`  ${fault}`)
  process.exit(1)
}
console.log(`${name}: 10 formats agree (${report.verdict}; ${Object.entries(words).map(([w, n]) => `${n} ${w}`).join(', ') || 'nothing examined'})`)
