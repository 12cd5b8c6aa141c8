import {expect, test} from 'vitest'
import {compileSchemaRules} from '../../../src/order/validate/schema-rules.js'

/** What a schema says of the field `lines`, for the columns of a table. */
function shapeOf(lines: unknown, more: object = {}) {
  const {shape} = compileSchemaRules(JSON.stringify({properties: {lines}, ...more}), 'x')
  return shape && 'members' in shape ? shape.members.lines : undefined
}

const LINE = {type: 'object', properties: {sku: {type: 'string'}}, required: ['sku']}
const LIST = {kind: 'list', each: {kind: 'object', members: {sku: {kind: 'leaf', required: true}}}}

test.each<[string, unknown, object]>([
  ['in its place', {items: LINE}, {}],
  ['by a pointer', {items: {$ref: '#/$defs/line'}}, {$defs: {line: LINE}}],
  ['by two of them', {$ref: '#/$defs/lines'}, {$defs: {line: LINE, lines: {items: {$ref: '#/$defs/line'}}}}],
  ['by a name with signs', {items: {$ref: '#/$defs/a~1b~0c%20d'}}, {$defs: {'a/b~c d': LINE}}],
  [
    'in parts',
    {items: {allOf: [{$ref: '#/$defs/line'}, {properties: {note: {}}}], type: 'object'}},
    {$defs: {line: LINE}},
  ],
])('a list of objects that a schema describes %s has their fields', (_, lines, more) => {
  expect(shapeOf(lines, more)).toMatchObject(LIST)
})

test.each<[string, unknown, object]>([
  ['an anchor', {$ref: '#lines'}, {$defs: {lines: {$anchor: 'lines', type: 'array', items: LINE}}}],
  ['an id', {$ref: 'lines'}, {$defs: {lines: {$id: 'lines', type: 'array', items: LINE}}}],
])('what is named by %s counts as any value in a table, and is checked all the same', (_, lines, more) => {
  expect(shapeOf(lines, more)).toMatchObject({kind: 'leaf', required: false})
  const rules = compileSchemaRules(JSON.stringify({properties: {lines}, ...more}), 'x')
  expect(rules.findFaults({reference: 'a', lines: [{}]}, new Date(0))).toMatchObject([
    {pointer: '/lines/0/sku', message: 'is required'},
  ])
})

test('a schema that refers to itself is read to a depth, and one that refers to nothing is refused', () => {
  const node = {type: 'object', properties: {parts: {items: {$ref: '#/$defs/node'}}}}
  expect(shapeOf({$ref: '#/$defs/node'}, {$defs: {node}})).toMatchObject({kind: 'object'})
  expect(() => shapeOf({$ref: '#/$defs/none'})).toThrow('x is not a usable JSON Schema')
})

test.each([
  [8, 'list'],
  [9, 'leaf'],
])('%i references in a row are followed to a list: %s', (count, kind) => {
  const names = Array.from({length: count}, (_, at) => `step${at}`)
  const steps = names.map((name, at) => [
    name,
    at === count - 1 ? {items: LINE} : {$ref: `#/$defs/step${at + 1}`},
  ])
  expect(shapeOf({$ref: '#/$defs/step0'}, {$defs: Object.fromEntries(steps)})).toMatchObject({kind})
})
