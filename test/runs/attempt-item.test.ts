import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import type {Item, ProbeResult, Result} from '../../src/runs/journal/item.js'
import type {NewEntry} from '../../src/runs/journal/journal-entry.js'
import type {TimedCall} from '../../src/runs/pool/adaptive-rate.js'
import {type AttemptDeps, attemptItem, createEntry} from '../../src/runs/pool/attempt-item.js'
import {StoppedClock} from '../support/clock.js'

const APPLIED: Result = {resultClass: 'done', result: 'applied', status: 200}
const LATER: Result = {resultClass: 'later', result: 'failed', status: 503, detail: 'busy'}
const LOST: Result = {resultClass: 'unknown', result: 'unknown', detail: 'no answer', facts: {before: 'open'}}
const NO_GRACE = {graceMs: 0}

const ITEM: Item<string> = {key: 'a', orderingKey: 'lane', contentHash: 'c0', value: 'a'}

type More = Partial<AttemptDeps<string>> & {answers?: Result[]; probes?: ProbeResult[]; answerMs?: number}

/** Brings an item to its end; `log` has what happened in turn, `written` what was recorded. */
async function attempt(
  item: Item<string>,
  {answers = [], probes = [], answerMs = 0, ...more}: More,
  onTurn: () => void = () => undefined,
) {
  const [log, written, calls, notes]: [string[], NewEntry[], TimedCall[], string[]] = [[], [], [], []]
  const clock = new StoppedClock()
  const say = (word: string) => void log.push(word)
  const end = await attemptItem(
    item,
    {
      operation: {
        prepare: async () => 'send',
        describeIntent: () => ({before: 'open'}),
        execute: async (_, number, onAnswered) => {
          say(`send ${number}`)
          clock.advance(answerMs)
          onAnswered()
          clock.advance(answerMs)
          return answers.shift() as Result
        },
        probe: async () => {
          say('look')
          return probes.shift() ?? 'not-applied'
        },
      },
      journal: {write: async (entry: NewEntry) => void written.push(entry)} as never,
      rateLimiter: {waitForTurn: async () => onTurn()} as never,
      ...{clock, random: () => 0.5, retries: 2, closing: new AbortController().signal},
      onCall: call => void calls.push(call),
      note: async text => void notes.push(text),
      ...more,
    },
    {
      noteAnswer: () => say('answered'),
      leave: () => say('leave'),
      acquire: async () => say('acquire'),
    },
  )
  const entries = written.map(({kind, attempt: number}) => `${kind} ${number}`)
  return {end, log, written, entries, calls, notes, clock}
}

test('an item that is answered well is sent once, after its intent', async () => {
  const {end, log, written, clock} = await attempt(ITEM, {answers: [APPLIED]})
  expect(end).toEqual({result: APPLIED, attempts: 1})
  expect(log).toEqual(['send 1', 'answered'])
  expect(written).toMatchObject([{kind: 'intent', item: 'a', attempt: 1, facts: {before: 'open'}}])
  expect(clock.sleeps).toEqual([])
})

test('what may be sent again is sent as often as there are retries, after growing waits, and then has failed', async () => {
  const {end, log, written, clock} = await attempt(ITEM, {answers: [LATER, LATER, LATER]})
  expect(end).toEqual({result: {...LATER, resultClass: 'failed'}, attempts: 3})
  expect(log.filter(word => word.startsWith('send'))).toEqual(['send 1', 'send 2', 'send 3'])
  expect(clock.sleeps).toEqual([375, 750])
  expect(written.map(({kind, attempt: number, status}) => [kind, number, status])).toEqual([
    ...[
      ['intent', 1, undefined],
      ['answer', 1, 503],
      ['intent', 2, undefined],
      ['answer', 2, 503],
    ],
    ['intent', 3, undefined],
  ])
  expect((await attempt(ITEM, {answers: [LATER], retries: 0})).end?.attempts).toBe(1)
})

test('nothing more is sent after an answer that stops the run, whatever its class', async () => {
  const halt = new StorectlError('auth.refused', 'no')
  const {end} = await attempt(ITEM, {answers: [{...LATER, halt}]})
  expect(end).toEqual({result: {...LATER, resultClass: 'failed', halt}, attempts: 1})
})

test('what takes the place of sending is the end, and nothing is written', async () => {
  const held: Result = {resultClass: 'held', result: 'held'}
  const operation = {
    ...{prepare: async () => held, probe: async () => 'not-now' as const},
    execute: async () => APPLIED,
  }
  const {end, written} = await attempt(ITEM, {operation})
  expect([end, written]).toEqual([{result: held, attempts: 0}, []])
})

test('a call that was given up is looked for without a slot, and not sent again', async () => {
  const {end, log, written} = await attempt(ITEM, {answers: [LOST], ...NO_GRACE})
  expect(end).toEqual({
    result: {...LOST, facts: {before: 'open', endedAt: '2026-11-21T12:00:00.000Z'}},
    attempts: 1,
  })
  expect(log).toEqual(['send 1', 'answered', 'leave', 'look'])
  expect(written[1]).toMatchObject({
    ...{kind: 'answer', attempt: 1, resultClass: 'unknown', detail: 'no answer'},
    facts: {before: 'open', endedAt: '2026-11-21T12:00:00.000Z'},
  })
  const shown = await attempt(ITEM, {answers: [LOST], probes: [APPLIED], ...NO_GRACE})
  expect(shown.end).toEqual({result: APPLIED, attempts: 1})
})

test('what was refused without an effect gets its slot back and is sent again', async () => {
  const refused: Result = {...LOST, doubt: 'refused'}
  const {end, log} = await attempt(ITEM, {answers: [refused, APPLIED]})
  expect(end).toMatchObject({result: APPLIED, attempts: 2})
  expect(log.filter(word => word !== 'look')).toEqual([
    ...['send 1', 'answered', 'leave', 'acquire', 'send 2', 'answered'],
  ])
})

test.each<[ProbeResult, Partial<Item<string>>, object]>([
  [APPLIED, {}, {result: APPLIED, attempts: 0}],
  ['cannot-tell', {}, {result: {resultClass: 'unknown'}, attempts: 0}],
  ['not-applied', {attemptFacts: {endedAt: '2026-11-21T11:00:00.000Z'}}, {result: APPLIED, attempts: 1}],
])('an earlier attempt that is found %j', async (probed, more, expected) => {
  const item = {...ITEM, unsure: true, ...more}
  const deps = {answers: [APPLIED], probes: [probed], presumeLostAfterMs: 60_000, ...NO_GRACE}
  const {end, log} = await attempt(item, deps)
  expect(end).toMatchObject(expected)
  expect(log.slice(0, 2)).toEqual(['leave', 'look'])
  expect((await attempt(ITEM, {answers: [APPLIED]})).log).not.toContain('look')
})

test('nothing is sent once the run is closing: not at first, not after its turn, and not again', async () => {
  const closed = () => {
    const controller = new AbortController()
    return {controller, closing: controller.signal}
  }
  const first = closed()
  const unsent = await attempt(ITEM, {answers: [APPLIED], closing: first.closing}, () =>
    first.controller.abort(),
  )
  expect([unsent.end, unsent.log, unsent.written]).toEqual([undefined, [], []])
  const second = closed()
  let turns = 0
  const again = await attempt(ITEM, {answers: [LATER], closing: second.closing}, () => {
    if (++turns === 2) second.controller.abort()
  })
  expect(again.end).toEqual({result: {...LATER, resultClass: 'failed'}, attempts: 1})
  const third = closed()
  const onCall = () => third.controller.abort()
  const late = await attempt(ITEM, {answers: [LATER], closing: third.closing, onCall})
  expect([late.end?.attempts, late.clock.sleeps, late.notes]).toEqual([1, [], []])
})

test('a closing run that finds out that an earlier attempt was lost leaves the item to the next run', async () => {
  const controller = new AbortController()
  controller.abort()
  const item = {...ITEM, unsure: true, attemptFacts: {endedAt: '2026-11-21T11:00:00.000Z'}}
  const deps = {probes: ['not-applied' as const], presumeLostAfterMs: 60_000, closing: controller.signal}
  const {end, log} = await attempt(item, deps)
  expect([end, log]).toEqual([undefined, ['leave', 'look', 'acquire']])
})

test('an intent that was long in being written is written again, and one of half a lease is not', async () => {
  for (const [tookMs, times] of [
    [15_000, 1],
    [15_001, 2],
  ] as const) {
    const clock = new StoppedClock()
    const kinds: string[] = []
    const journal = {
      write: async ({kind}: NewEntry) => {
        if (kinds.push(kind) === 1) clock.advance(tookMs)
      },
    }
    await attempt(ITEM, {answers: [APPLIED], clock, journal: journal as never})
    expect(kinds).toEqual(Array.from({length: times}, () => 'intent'))
  }
})

test.each<[Result, object]>([
  [APPLIED, {wasAnswered: true, isBusy: false, tookMs: 70}],
  [
    {...LATER, status: 503},
    {wasAnswered: true, isBusy: true, tookMs: 70},
  ],
  [
    {...LATER, status: 429},
    {wasAnswered: true, isBusy: true, tookMs: 70},
  ],
  [
    {...LOST, status: 504},
    {wasAnswered: true, isBusy: false, tookMs: 70},
  ],
  [LOST, {wasAnswered: false, isBusy: false, tookMs: 70}],
  [
    {resultClass: 'failed', result: 'failed'},
    {wasAnswered: true, isBusy: false, tookMs: 70},
  ],
])('a call that came to %j is told with its time until the answer', async (answer, call) => {
  const {calls} = await attempt(ITEM, {answers: [answer], retries: 0, answerMs: 70, ...NO_GRACE})
  expect(calls[0]).toEqual(call)
})

test('a wait that the other side asked for is told to the person, and one of our own is not', async () => {
  const asked = await attempt(ITEM, {answers: [{...LATER, retryAfterMs: 5000}, APPLIED]})
  expect(asked.notes).toEqual(['a: the server asks to wait 6 s: retrying at 2026-11-21T12:00:05Z'])
  expect(asked.clock.sleeps).toEqual([5250])
  const own = await attempt(ITEM, {answers: [LATER, LATER, LATER, LATER, APPLIED], retries: 4})
  expect([own.notes, own.clock.sleeps.at(-1)]).toEqual([[], 3000])
  const inDoubt = await attempt(ITEM, {answers: [{...LOST, retryAfterMs: 5000}], ...NO_GRACE})
  expect(inDoubt.notes).toEqual(['a: the server asks to wait 5 s: retrying at 2026-11-21T12:00:05Z'])
  const failing = async () => {
    throw new Error('no terminal')
  }
  const deaf = await attempt(ITEM, {answers: [{...LATER, retryAfterMs: 5000}, APPLIED], note: failing})
  expect(deaf.end?.attempts).toBe(2)
})

test('a requested wait is not told of once the run is closing, as nothing waits', async () => {
  const controller = new AbortController()
  const asked = {...LATER, retryAfterMs: 5000}
  const onCall = () => controller.abort()
  const {notes, end} = await attempt(ITEM, {answers: [asked], closing: controller.signal, onCall})
  expect([notes, end?.attempts]).toEqual([[], 1])
})

test('what was prepared before a pause is prepared again after it', async () => {
  let prepared = 0
  const pause = {
    isPaused: false,
    waitWhilePaused: async () => {
      pause.isPaused = false
    },
  }
  const operation = {
    prepare: async () => {
      prepared++
      return 'send' as const
    },
    ...{execute: async () => APPLIED, probe: async () => 'not-now' as const},
  }
  const {end} = await attempt(ITEM, {operation, pause}, () => {
    pause.isPaused = prepared === 1
  })
  expect([end, prepared]).toEqual([{result: APPLIED, attempts: 1}, 2])
})

test('what is recorded of an item has its amount among the facts', () => {
  const amount = {value: '1.00', currency: 'EUR'}
  expect(
    createEntry('result', {...ITEM, amount}, 2, {...APPLIED, detail: 'd', facts: {before: 'open'}}),
  ).toEqual({
    ...{kind: 'result', item: 'a', orderingKey: 'lane', contentHash: 'c0', attempt: 2},
    ...{resultClass: 'done', result: 'applied', status: 200, detail: 'd', facts: {before: 'open', amount}},
  })
  expect(createEntry('intent', ITEM, 1).facts).toBeUndefined()
})
