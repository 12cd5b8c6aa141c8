import {expect, test} from 'vitest'
import {
  type CapturedRow,
  CapturePresenter,
  describeCaptured,
  describeOpened,
} from '../../src/gateway/capture-view.js'
import type {Presenter} from '../../src/output/presenter.js'

const row = (more: Partial<CapturedRow> = {}): CapturedRow => ({
  ...{receivedAt: '2026-11-20T14:03:05.123Z', id: 'WH-1', type: 'PAYMENT.CAPTURE.COMPLETED'},
  ...{status: 'delivered', answer: 200, answered: 200, ms: 14, message: null},
  ...more,
})

/** A terminal, which takes rows as fast as the test lets it. */
function openTerminal(write: (text: string) => Promise<void>) {
  return new CapturePresenter({
    format: 'table',
    write,
    note: async () => {},
  } as Partial<Presenter> as Presenter)
}

test('a row is a line of its own on a terminal, in columns', async () => {
  const lines: string[] = []
  const printed = openTerminal(async text => void lines.push(text))
  printed.add(row())
  printed.add(row({type: 'X', status: 'not-stored', answered: 503, message: 'no \u001b room'}))
  await printed.end()
  expect(lines).toEqual([
    '14:03:05Z  WH-1  PAYMENT.CAPTURE.COMPLETED       delivered  200  14 ms\n',
    '14:03:05Z  WH-1  X                               not-stored  503  14 ms  no \\e room\n',
  ])
})

test('10000 rows wait for a reader who is slow, and none are printed after the end', async () => {
  const ids: string[] = []
  let goOn = () => {}
  const reading = new Promise<void>(resolve => {
    goOn = resolve
  })
  const printed = openTerminal(async text => {
    await reading
    ids.push(text.split('  ')[1] ?? '')
  })
  printed.add(row({id: 'first'}))
  await new Promise(resolve => setImmediate(resolve))
  for (let at = 0; at <= 10_000; at++) printed.add(row({id: `WH-${at}`}))
  const ended = printed.end()
  printed.add(row({id: 'late'}))
  goOn()
  await ended
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([10_001, 'first', 'WH-9999'])
})

test('what kept a row from being printed is thrown at the end', async () => {
  const printed = openTerminal(() => Promise.reject(new Error('EPIPE')))
  printed.add(row())
  await expect(printed.end()).rejects.toThrow('EPIPE')
})

const ADDRESSES = {
  url: 'http://h',
  webhookUrl: 'http://h/w',
  health: 'http://h/healthz',
  metrics: 'http://h/m',
}

test('a start says where it listens, where events go, and what is answered for a shop that is away', () => {
  const describe = (forwardsTo: string | undefined, acceptsWhenDown: boolean) =>
    describeOpened(ADDRESSES, {forwardsTo, profile: {name: 'live'}, acceptsWhenDown})
  expect(describe('http://shop', false)).toBe(`Captures the webhook of "live" at http://h/w
Each event is stored, then forwarded to http://shop
Health: http://h/healthz   Metrics: http://h/m
`)
  expect(describe(undefined, true)).toBe(`Captures the webhook of "live" at http://h/w
Events are stored and answered 200, but not forwarded. storectl webhook replay sends them.
Health: http://h/healthz   Metrics: http://h/m
While the shop is down, events are answered 200: the provider does not send them again.
Only storectl webhook replay sends them.
`)
})

test('an end says how many calls came to what', () => {
  const describe = (counts: [CapturedRow['status'], number][], cutOff = 0) =>
    describeCaptured({counts: new Map(counts), cutOff})
  expect(describe([])).toBe('no events')
  expect(
    describe([
      ['failed', 2],
      ['delivered', 41],
    ]),
  ).toBe('41 delivered, 2 failed')
  expect(describe([['failed', 1]], 1)).toBe('1 failed, 1 had no response yet and are stored as unknown')
})
