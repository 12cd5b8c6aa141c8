import {expect, test} from 'vitest'
import {compileSchemaRules} from '../../../src/order/validate/schema-rules.js'

const RULES = compileSchemaRules(JSON.stringify({properties: {lines: {uniqueItems: true}}}), 'x')

const findMessages = (lines: readonly unknown[]) =>
  RULES.findFaults({reference: 'a', lines}, new Date(0)).map(({message}) => message)

test.each([
  [
    [1, 2, 1, 2],
    [1, 3],
  ],
  [
    [
      {a: 1, b: [2]},
      {b: [2], a: 1},
    ],
    [0, 1],
  ],
  [
    [0, -0],
    [0, 1],
  ],
])('%j has the same item twice', (lines, [first, second]) => {
  expect(findMessages(lines)).toEqual([
    `must NOT have duplicate items (items ## ${first} and ${second} are identical)`,
  ])
})

test.each([[['1', 1]], [[null, 'null']], [[[1], ['1']]], [[{a: 1}, {a: 1, b: 2}]]])(
  '%j has different items',
  lines => {
    expect(findMessages(lines)).toEqual([])
  },
)

test('a list may hold the same twice where the schema says so', () => {
  const schema = JSON.stringify({properties: {lines: {uniqueItems: false}}})
  const rules = compileSchemaRules(schema, 'x')
  expect(rules.findFaults({reference: 'a', lines: [1, 1]}, new Date(0))).toEqual([])
})

test('each of many items is looked at a few times, and not once for each other', () => {
  let reads = 0
  const read = () => reads++
  const items = Array.from({length: 200}, () => Object.defineProperty({}, 'a', {get: read, enumerable: true}))
  expect(findMessages(items)).toEqual([])
  expect(reads).toBeLessThan(1000)
})
