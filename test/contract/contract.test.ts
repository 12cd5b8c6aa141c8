import {Ajv} from 'ajv'
import formats from 'ajv-formats'
import {expect, test} from 'vitest'
import {PROMISED, type SchemaName} from '../../src/contract/promised.js'
import {buildSchemas} from '../../src/contract/schemas.js'
import {loadChecks} from '../support/hold-contract.js'
import {allowMoreWords, findBreaks, omitRequired, type Schema} from './compare-schemas.js'
import {gatherOutputs} from './outputs.js'
import {RECORDED, recordVersion} from './recorded.js'

const names = Object.keys(PROMISED) as SchemaName[]
const schemas = new Map(
  [...buildSchemas()].map(([name, schema]) => [name, JSON.parse(JSON.stringify(schema))]),
)

function compile(schema: object) {
  const ajv = new Ajv({allErrors: true, allowUnionTypes: true})
  formats.default(ajv)
  const check = ajv.compile(schema)
  return (row: unknown) => (check(row) ? '' : ajv.errorsText(check.errors))
}

test('each output is as its schema says and as version 0.1 promised, in each variant and both formats', async () => {
  const {outputs, places} = await gatherOutputs()
  const found: string[] = []
  for (const name of names) {
    const checks = await loadChecks(name)
    const rows = outputs.get(name) ?? []
    found.push(...rows.map(row => checks.findFaults(row)).filter(Boolean))
    const printed = new Set(rows.map(row => checks.findVariant(row)))
    for (let at = 0; at < checks.variants; at++)
      if (!printed.has(at)) found.push(`${name}: variant ${at} is missing`)
    // Once a version: RECORD_CONTRACT=0.1 npx vitest run test/contract
    if (process.env.RECORD_CONTRACT)
      recordVersion(process.env.RECORD_CONTRACT, [name, schemas.get(name)], {rows, checks, places})
  }
  for (const [name, {version, schema}] of RECORDED) {
    const check = compile(allowMoreWords(schema))
    for (const row of outputs.get(name) ?? []) {
      const fault = check(row)
      if (fault !== '') found.push(`${name} as of ${version}: ${fault}`)
    }
  }
  expect(found).toEqual([])
})

test.each(RECORDED)('%s keeps what was promised before', (name, {schema, rows}) => {
  const now = schemas.get(name)
  expect(now, 'a schema that was published is gone').toBeDefined()
  expect(findBreaks(schema, now)).toEqual([])
  const [asPromised, asNow] = [compile(schema), compile(omitRequired(now))]
  expect(rows.length).toBe(schema.anyOf?.length ?? 1)
  expect(rows.map(row => [asPromised(row), asNow(row)])).toEqual(rows.map(() => ['', '']))
})

test('each schema is recorded', () => {
  expect(new Set(RECORDED.map(([name]) => name))).toEqual(new Set(names))
})

const before: Schema = {
  type: 'object',
  required: ['id', 'amount'],
  properties: {
    id: {type: 'string'},
    state: {type: 'string', enum: ['open', 'over']},
    amount: {
      anyOf: [{type: 'object', required: ['value'], properties: {value: {type: 'string'}}}, {type: 'null'}],
    },
    at: {type: 'string', format: 'date-time'},
    list: {type: 'array', items: {type: 'integer'}},
    counts: {type: 'object', additionalProperties: {type: 'integer'}},
  },
}
const properties = before.properties ?? {}
const change = (more: object, required = before.required): Schema => ({
  ...before,
  ...(required && {required}),
  properties: {...properties, ...more},
})

test.each<[string, Schema, string[]]>([
  ['nothing', before, []],
  ['a new member', change({more: {type: 'string'}}, ['id', 'amount', 'more']), []],
  ['a new word', change({state: {type: 'string', enum: ['open', 'over', 'new']}}), []],
  ['a member that is always there', change({}, ['id', 'amount', 'state']), []],
  ['a null that is never there', change({amount: properties.amount?.anyOf?.[0]}), []],
  [
    'a null of an object',
    change({counts: {anyOf: [properties.counts, {type: 'null'}]}}),
    ['row.counts may be null now'],
  ],
  [
    'a form that is gone',
    change({amount: {type: 'null'}}),
    ['row.amount may be null now', 'row.amount.value is gone'],
  ],
  [
    'a member that is gone',
    {...before, properties: {id: {type: 'string'}, amount: properties.amount as Schema}},
    [...['row.state is gone', 'row.at is gone', 'row.list is gone', 'row.counts is gone']],
  ],
  ['a member that may be absent', change({}, ['id']), ['row.amount may be absent now']],
  ['another type', change({id: {type: 'integer'}}), ['row.id may be integer now']],
  ['a new null', change({id: {type: ['string', 'null']}}), ['row.id may be null now']],
  ['a value of any kind', change({id: {}}), ['row.id may be anything now']],
  ['a word that is gone', change({state: {type: 'string', enum: ['open']}}), ['row.state is never over now']],
  [
    'words that are free',
    change({state: {type: 'string'}}),
    ['row.state is never open now', 'row.state is never over now'],
  ],
  ['another form of time', change({at: {type: 'string'}}), ['row.at is no date-time']],
  ['other items', change({list: {type: 'array', items: {type: 'string'}}}), ['row.list[] may be string now']],
  [
    'other values',
    change({counts: {type: 'object', additionalProperties: {type: 'string'}}}),
    ['row.counts.* may be string now'],
  ],
])('a change is told from a break: %s', (_, now, breaks) => {
  expect(findBreaks(before, now)).toEqual(breaks)
})
