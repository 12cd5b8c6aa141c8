import {expect, test} from 'vitest'
import {formatDuration, formatLocalTime} from '../../src/output/cell.js'

test('a time carries its offset, so that it means one moment', () => {
  const time = new Date('2026-03-01T12:34:56.000Z')
  const shown = formatLocalTime(time) ?? ''
  expect(shown).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/)
  expect(new Date(shown.replace(' ', 'T').replace(' ', '')).getTime()).toBe(time.getTime())
})

test('no time gives no text', () => {
  expect(formatLocalTime(new Date('never'))).toBeUndefined()
})

test('lengths of time have at most two parts', () => {
  expect([340, 12_400, 65_000, 3_900_000].map(formatDuration)).toEqual([
    '340 ms',
    '12 s',
    '1 min 05 s',
    '1 h 05 min',
  ])
})
