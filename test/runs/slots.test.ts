import {expect, test} from 'vitest'
import {Slots} from '../../src/runs/pool/slots.js'

const NOW = new Date('2026-11-21T12:00:00Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)

/** So many items are in doubt, and as many have a call in flight. */
function openSlots({inDoubt, active = 0}: {inDoubt: number; active?: number}): Slots {
  const slots = new Slots({onChange: () => {}})
  for (let at = 0; at < inDoubt; at++) slots.open().leave()
  for (let at = 0; at < active; at++) slots.open()
  return slots
}

test.each([
  [0, 4, true],
  [0, 5, false],
  [2, 2, true],
  [3, 2, false],
])(
  'before anything has ended, %i in doubt and %i in flight let another start: %s',
  (inDoubt, active, may) => {
    expect(openSlots({inDoubt, active}).mayStart(false, NOW)).toBe(may)
  },
)

test.each([
  [19_999, 999, true],
  [19_999, 1000, false],
  [20_000, 19, true],
  [20_000, 20, false],
])('%i ms after something was applied, %i in doubt let another start: %s', (ms, inDoubt, may) => {
  const slots = openSlots({inDoubt})
  slots.noteResult(true, NOW)
  expect(slots.mayStart(false, after(ms))).toBe(may)
})

test('where all has failed so far, as many in doubt let another start as before anything has ended', () => {
  const [four, five] = [openSlots({inDoubt: 4}), openSlots({inDoubt: 5})]
  for (const slots of [four, five]) slots.noteResult(false, NOW)
  expect([four, five].map(slots => slots.mayStart(false, NOW))).toEqual([true, false])
})

test('whoever waits for a canary starts nothing beside what is in doubt', () => {
  expect(openSlots({inDoubt: 1}).mayStart(true, NOW)).toBe(false)
  expect(openSlots({inDoubt: 0}).mayStart(true, NOW)).toBe(true)
})
