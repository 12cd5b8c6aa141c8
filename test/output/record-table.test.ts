import {expect, test} from 'vitest'
import {measureWidth} from '../../src/output/grid.js'
import {renderRecord} from '../../src/output/table.js'

const view = {
  noun: ['a', 'b'] as const,
  columns: [{path: 'name'}, {path: 'orderCount'}, {path: 'company'}],
  id: 'name',
}

function lines(record: object, columns: number | undefined, fields?: readonly string[]) {
  return renderRecord(record as never, {view, fields, columns})
    .split('\n')
    .slice(0, -1)
}

test('values stand beside their names, and go on below where the terminal ends', () => {
  expect(lines({name: 'Ada', orderCount: 3, company: 'x'.repeat(30)}, 40)).toEqual([
    'name        Ada',
    'orderCount  3',
    `company     ${'x'.repeat(28)}`,
    '            xx',
  ])
})

test('where that leaves too little room a value stands below its name', () => {
  expect(lines({name: 'Ada', orderCount: 3, company: 'Companyofsomelength'}, 20)).toEqual([
    'name  Ada',
    'orderCount  3',
    'company',
    '  Companyofsomelengt',
    '  h',
  ])
})

test('no line is wider than the terminal, and without one nothing is broken', () => {
  const record = {
    name: '李'.repeat(100),
    orderCount: 'محمد'.repeat(50),
    company: '👩‍👩‍👧'.repeat(40),
    [`a.${'b'.repeat(90)}`]: 1,
  }
  const fields = ['name', 'orderCount', 'company', `a.${'b'.repeat(90)}`]
  for (const width of [1, 2, 5, 20, 33, 80, 1000]) {
    for (const line of lines(record, width, fields)) {
      expect(measureWidth(line)).toBeLessThanOrEqual(Math.max(width, 4))
    }
  }
  expect(lines(record, undefined)).toHaveLength(3)
})
