// Makes a report of a thousand requirements out of a real one: node thousand.mjs REPORT.json
import { readFileSync } from 'node:fs'

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const suite = report.suites[0]
const originals = [...suite.requirements]
const rows = {
  MUST: 'must', 'MUST NOT': 'must', DECLARED: 'must', SHOULD: 'should', 'SHOULD NOT': 'should', MAY: 'may', ADVICE: 'may',
}
const sum = report.suites.reduce((n, s) => n + s.requirements.length, 0)
for (let i = 0; sum + i < 1000; i++) {
  const q = structuredClone(originals[i % originals.length])
  q.id = `${q.id}-copy-${i}`
  suite.requirements.push(q)
  suite.counts[rows[q.level]][q.status]++
}
console.log(JSON.stringify(report))
