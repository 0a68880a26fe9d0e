// Reads what the corpus program writes and asks ajv about every input: the sound
// ones keep their schema, the unsound ones break it, and break the keyword that
// they were made to break.
import { createInterface } from 'node:readline'
import Ajv from 'ajv'
import Ajv2019 from 'ajv/dist/2019.js'
import Ajv2020 from 'ajv/dist/2020.js'

const options = { strict: false, validateFormats: false, allErrors: true, verbose: true, logger: false }
const dialects = [
  ['draft-07/', () => new Ajv(options)],
  ['2019-09/', () => new Ajv2019(options)],
  ['2020-12/', () => new Ajv2020(options)],
]

// ajv knows no draft-04 and no draft-06: those schemas are left to others. One
// that names no dialect is read as the newest that takes it.
function validator(schema) {
  if (schema.$schema) return dialects.find(([dialect]) => schema.$schema.includes(dialect))?.[1]().compile(schema)
  for (const [, make] of dialects.toReversed()) {
    const ajv = make()
    if (ajv.validateSchema(schema)) return ajv.compile(schema)
  }
}

// What ajv calls otherwise: the bounds of contains, and a member whose schema is false.
const ajvName = { minContains: 'contains', maxContains: 'contains', properties: 'false schema' }

let schemas = 0
let judged = 0
const left = []
const faults = []
for await (const line of createInterface({ input: process.stdin })) {
  const { name, schema, sound, unsound } = JSON.parse(line)
  const valid = validator(schema)
  if (!valid) {
    left.push(name)
    continue
  }
  schemas++
  for (const input of sound) {
    judged++
    if (!valid(input)) faults.push(`${name}: ${JSON.stringify(input)} is called sound, ajv refuses it: ${valid.errors[0].message}`)
  }
  for (const { input, keyword, pointer } of unsound) {
    judged++
    const what = `${name}: ${JSON.stringify(input)}, made to break ${keyword} at "${pointer}"`
    if (valid(input)) faults.push(`${what}: ajv accepts it`)
    else if (!valid.errors.some(e => [keyword, ajvName[keyword]].includes(e.keyword))) faults.push(`${what}: ajv says ${valid.errors.map(e => e.keyword)}`)
  }
}
if (judged === 0) faults.push('there was no input to judge')
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exit(1)
console.log(`corpus: ajv agrees on ${judged} inputs to ${schemas} schemas (not asked: ${left.join('; ') || 'none'})`)
