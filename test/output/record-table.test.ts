import {expect, test} from 'vitest'
import {renderRecord} from '../../src/output/table/record.js'

const view = {
  noun: ['a', 'b'] as const,
  columns: [
    {path: 'name'},
    {path: 'orderCount'},
    {path: 'company'},
    {path: 'createdAt', kind: 'time'} as const,
    {path: 'options'},
  ],
  id: 'name',
}

function lines(record: object, columns: number | undefined, fields?: readonly string[]) {
  return renderRecord(record as never, {view, fields, columns})
    .split('\n')
    .slice(0, -1)
}

test('a record is labelled in words, and what has no value is left out', () => {
  expect(lines({name: 'Ada', orderCount: 3, company: null}, 40)).toEqual([
    'Name         Ada',
    'Order count  3',
  ])
  expect(lines({name: 'Ada'}, 40, ['name', 'orderCount'])).toEqual(['name        Ada', 'orderCount'])
})

test('a coloured word is whole, also where it is the longest value', () => {
  const forEyes = {now: undefined, hasColor: true}
  expect(
    renderRecord({name: 'created', company: 'none'}, {view, fields: undefined, columns: 80, forEyes}),
  ).toBe('\u001b[2mName\u001b[22m     \u001b[32mcreated\u001b[39m\n\u001b[2mCompany\u001b[22m  none\n')
})

test('prose goes on below at a word; an id, a secret or an address is never broken, and begins its own line', () => {
  expect(lines({name: 'one two three four five six seven eight', company: 'x'.repeat(50)}, 40)).toEqual([
    'Name     one two three four five six',
    '         seven eight',
    'Company',
    'x'.repeat(50),
  ])
})

test('where that leaves too little room a value stands below its name', () => {
  expect(lines({name: 'Ada', orderCount: 3, company: 'A company of some length'}, 20)).toEqual([
    'Name  Ada',
    'Order count  3',
    'Company',
    '  A company of some',
    '  length',
  ])
})

test('what holds others has a line for each', () => {
  expect(lines({name: 'Ada', options: {rate: 5, limits: {max: null, of: ['a', 'b']}}}, 80)).toEqual([
    'Name     Ada',
    'Options  rate: 5',
    '         limits:',
    '           max:',
    '           of: a, b',
  ])
})
