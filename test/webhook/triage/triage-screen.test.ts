import {expect, test} from 'vitest'
import {measureWidth} from '../../../src/output/table/grid.js'
import type {Cause} from '../../../src/webhook/event/cause.js'
import {PagedRows} from '../../../src/webhook/triage/screen/paged-rows.js'
import type {TriageSource} from '../../../src/webhook/triage/screen/triage-source.js'
import {storectl} from '../../support/storectl.js'
import {diagnosis, GROUPS, group, HOURS, opened, SIZE, WIDE} from './opened-screen.js'

test('marks of groups, and events taken out of them, become one command', async () => {
  const {press, see, screen} = opened()
  await see('1,000,000')
  press('space', 'down', 'space')
  await see('marked: 1,002,000 in 2 groups')
  await see('--since 6h --cause token-mismatch --cause shop-unavailable --dry-run', WIDE)
  press('return')
  await see('[x] WH-0')
  press('down', 'space')
  await see('[ ] WH-1\n')
  press('p')
  await see('3 to send')
  expect(screen.transcript.at(-1)).toBe(
    `storectl webhook replay --since 6h --cause token-mismatch --cause shop-unavailable --where 'not id in ("WH-1")' --dry-run`,
  )
})

test('an event that is looked at says whether it is marked', async () => {
  const {press, see, screen} = opened()
  const isMarked = () => screen.render(SIZE).some(line => line.trim() === 'marked')
  await see('1,000,000')
  press('return')
  await see('WH-0')
  press('return')
  await see('line 1')
  expect(isMarked()).toBe(false)
  press('space')
  expect(isMarked()).toBe(true)
  press('space')
  expect(isMarked()).toBe(false)
})

test('another filter leaves no mark of what it may not show', async () => {
  const {press, see, screen} = opened()
  await see('token-mismatch')
  press('space')
  await see('marked: 2,000 in 1 group')
  press('/', 'a', 'return')
  await see('where a')
  expect(screen.render(SIZE).join('\n')).not.toContain('marked')
})

test('events that are marked by hand are named, without the filters', async () => {
  const {press, see} = opened()
  await see('1,000,000')
  press('return')
  await see('WH-9')
  press('space', 'down', 'space')
  await see('marked: 2 by hand')
  await see('storectl webhook replay --dry-run WH-0 WH-2', WIDE)
})

test('sends nothing before the plan is shown', async () => {
  const {press, see} = opened()
  await see('1,000,000')
  expect(press('s')).toBeUndefined()
  await see('This is the plan. Press s again, and confirm, to send it.')
  await see('3 to send')
  expect(press('s')).toEqual({end: {command: ['webhook', 'replay', '--max', '3']}})
})

test('five thousand events of six causes come to a plan in a few keys', async () => {
  const causes: Cause[] = [
    'token-mismatch',
    'unknown-transaction',
    'already-final',
    'out-of-order',
    'forged' as Cause,
  ]
  const groups = [...causes, 'shop-unavailable' as const].map((cause, index) => group(cause, 833 + index))
  const {press, see} = opened({
    diagnoseGroups: async function* () {
      yield {groups, diagnosed: 5000}
    },
  })
  await see('out-of-order')
  const keys = ['space', 'end', 'space', 'p']
  press(...keys)
  await see('3 to send')
  expect(keys.length).toBeLessThanOrEqual(30)
})

test('every view fits its terminal, whatever texts and size', async () => {
  const {press, see, screen} = opened()
  const check = () => {
    for (const columns of [20, 40, 80, 200])
      for (const rows of [8, 15, 24, 60]) {
        const lines = screen.render({columns, rows})
        expect(lines.length).toBeLessThan(rows)
        expect(lines.at(-1)).not.toBe('')
        for (const line of lines) {
          expect(measureWidth(line)).toBeLessThan(columns)
          // biome-ignore lint/suspicious/noControlCharactersInRegex: what would steer the terminal
          expect(line).not.toMatch(/[\u0000-\u001f\u202e]/)
        }
      }
  }
  await see('1,000,000')
  check()
  press('return')
  await see('WH-9')
  check()
  press('return')
  await see('line 3')
  check()
  press('p')
  await see('3 to send')
  check()
})

test('a condition is checked while it is typed, and a failed plan leads back', async () => {
  const {createUsageError} = await import('../../../src/errors.js')
  const fail = () => {
    throw createUsageError('where', 'there is no field "amout"')
  }
  const {press, see} = opened({checkCondition: fail, planReplay: async () => fail()})
  await see('1,000,000')
  press('/', 'a', 'm', 'return')
  await see('there is no field "amout"')
  await see('Filter (--where): am_')
  press('escape', 'p')
  await see('there is no field')
  await see('1,000,000')
})

test('a list of a million rows is paged with few of them held', async () => {
  let openings = 0
  const rows = new PagedRows(async function* () {
    openings++
    for (let index = 0; index < 1_000_000; index++) yield index
  })
  await rows.load(0, 20)
  for (let from = 0; from < 2020; from += 20) await rows.load(from, 20)
  // Half of what is held stays when room is made, so that a few pages back nothing is read again.
  await rows.load(1020, 20)
  expect([rows.peek(1020, 1), openings]).toEqual([[1020], 1])
  for (let from = 1020; from < 9000; from += 20) await rows.load(from, 20)
  expect(rows.peek(8980, 2)).toEqual([8980, 8981])
  expect(rows.peek(0, 9000).length).toBeLessThanOrEqual(2000)
  const tall = new PagedRows(async function* () {
    for (let index = 0; index < 10_000; index++) yield index
  })
  await tall.load(1100, 2500)
  expect(tall.peek(1100, 2)).toEqual([1100, 1101])
  await rows.load(100, 20)
  expect(rows.peek(100, 1)).toEqual([100])
  expect(openings).toBe(2)
})

test('a resolution wants a reason', async () => {
  const {press, see} = opened()
  await see('1,000,000')
  press('space', 'r')
  await see('Resolve token-mismatch: reason (--reason): _')
  expect(press('return')).toBeUndefined()
  expect(press('r', 'o', 'k', 'return')).toEqual({
    end: {command: expect.arrayContaining(['resolve', '--reason', 'ok'])},
  })
})

test('v checks who sent what is marked, and leaves the screen for it', async () => {
  const {press, see} = opened()
  await see('1,000,000')
  expect(press('v')).toEqual({end: {command: expect.arrayContaining(['verify'])}})
})

test('without a terminal it names the commands that do the same', async () => {
  const {exit, stderr} = await storectl(['webhook', 'triage', '--since', '6h'])
  expect(exit).toBe(2)
  expect(stderr).toContain('storectl webhook diagnose --since 6h')
  expect(stderr).toContain('storectl webhook replay --since 6h --cause NAME --dry-run')
  expect(stderr).toContain('storectl webhook resolve --since 6h --cause NAME --reason TEXT')
  const where = await storectl(['webhook', 'triage', '--where', 'amont > 1'])
  expect([where.exit, where.stderr]).toEqual([2, expect.stringContaining('unknown field "amont"')])
})

test('a group tells which payments differ, and an event shows both sides of its payment on demand', async () => {
  const drift = {
    kind: 'capture-missed',
    detail: 'provider: 10.00 EUR captured',
    comparedAt: '2026-11-21T06:00:00Z',
  }
  const asked: string[] = []
  const {press, see, screen} = opened({
    diagnoseGroups: async function* () {
      yield {groups: [{...group('already-final', 5), differ: 2, drift}], diagnosed: 5}
    },
    listGroup: async function* () {
      yield {...diagnosis('already-final', 0), transaction: 'id:0190a6d2', drift}
      yield diagnosis('already-final', 1)
    },
    describePayment: async word => {
      asked.push(word)
      return [`both sides of ${word}`]
    },
  })
  await see('2 events are of payments that differ', WIDE)
  press('return')
  await see('WH-0')
  press('return')
  await see('b both sides')
  expect(asked).toEqual([])
  press('b')
  await see('both sides of 0190a6d2')
  expect(screen.transcript.at(-1)).toBe('storectl payment show 0190a6d2')
})

test.each([
  [SIZE, false],
  [SIZE, true],
  [WIDE, false],
  [WIDE, true],
])(
  'free lines below the groups show the events of the last hours, at %o, with colour %s',
  async (size, hasColor) => {
    const groups = GROUPS.map(each => ({...each, detail: 'The shop was away.', next: null}))
    const show = async (changes: Partial<TriageSource>, shown: string, at = size) => {
      const diagnoseGroups = async function* () {
        yield {groups, diagnosed: 1}
      }
      const {screen, see} = opened({diagnoseGroups, ...changes}, hasColor)
      await see(shown, at)
      return screen.render(at)
    }
    const lines = await show({}, 'by hour')
    const at = lines.indexOf('by hour  █ ▁▁▁')
    expect(lines[at - 1]).toBe('')
    expect(lines[at + 1]).toBe('         11-21 09:00 to 11-21 13:00 UTC, 4,000 an hour at the peak')
    expect(lines.length).toBeLessThan(size.rows)
    const low = await show({}, 'The shop was away', {...size, rows: 14})
    expect(low.join()).not.toContain('by hour')
    for (const hours of [[], HOURS.slice(0, 1)]) {
      const none = await show({countHours: async () => hours}, 'The shop was away')
      expect(none.join(), `${hours.length}`).not.toContain('by hour')
    }
  },
)
