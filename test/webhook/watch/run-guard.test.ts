import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {Item, Result} from '../../../src/runs/journal/item.js'
import {RunSignals} from '../../../src/runs/workers/run-signals.js'
import {RunGuard} from '../../../src/webhook/watch/run-guard.js'
import {ShopProbe} from '../../../src/webhook/watch/shop-probe.js'
import {StoppedClock} from '../../support/clock.js'

const APPLIED: Result = {resultClass: 'done', result: 'applied', exit: 'ok'}
const AWAY: Result = {
  ...{resultClass: 'later', result: 'failed', exit: 'unavailable', detail: 'HTTP 503'},
  retryAfterMs: 3_600_000,
}

/** A guarded run of a shop. @param ask the answer of each probe */
function guarded(ask: () => boolean) {
  const clock = new StoppedClock()
  const sent: string[] = []
  const probe = new ShopProbe({
    ...{clock, note: async () => undefined},
    ask: async () => ({isGood: ask(), answer: ''}),
  })
  const guard = new RunGuard({probe, clock})
  const signals = new RunSignals()
  const {operation, onOpen} = guard.guard({
    prepare: async () => 'send',
    execute: async ({key, value}: Item<Result | Promise<Result>>) => {
      sent.push(key)
      return value
    },
    probe: async () => 'cannot-tell',
    toRow: ({result}) => result,
  })
  onOpen(signals)
  const send = (key: string, value: Result | Promise<Result> = APPLIED) =>
    operation.execute({key, orderingKey: key, contentHash: '', value}, 1, () => undefined)
  return {guard, signals, sent, send}
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('once an event was refused because the shop is away, one whose turn has come is not sent', async () => {
  let isBack = false
  const {send, sent, signals, guard} = guarded(() => isBack)
  signals.inDoubt.tell(1)
  expect(await send('first', AWAY)).toEqual({...AWAY, retryAfterMs: undefined})
  expect([signals.isPaused, guard.hasTrouble]).toEqual([true, true])
  expect(await send('second')).toMatchObject({resultClass: 'later', exit: 'unavailable'})
  expect(sent).toEqual(['first'])
  const waited = signals.waitWhilePaused(new AbortController().signal)
  isBack = true
  await waited
  expect(signals.isPaused).toBe(false)
  expect(await send('second')).toEqual({...APPLIED, retryAfterMs: undefined})
  expect(signals.halt).toBeUndefined()
})

test('a run ends while the shop is away, but not before what is in flight and in doubt has come to an end', async () => {
  let probes = 0
  const {send, signals} = guarded(() => ++probes < 0)
  let end: (result: Result) => void = () => undefined
  const slow = send(
    'slow',
    new Promise(resolve => {
      end = resolve
    }),
  )
  signals.inDoubt.tell(1)
  await send('refused', AWAY)
  while (probes < 3) await turn()
  expect(signals.halt).toBeUndefined()
  end(APPLIED)
  await slow
  const seen = probes
  while (probes < seen + 3) await turn()
  expect(signals.halt).toBeUndefined()
  signals.inDoubt.tell(0)
  while (!signals.closing.aborted) await turn()
  expect(signals.halt).toMatchObject({code: 'unavailable.shop_away', message: 'The shop is away: HTTP 503'})
})

test('a result that stops a run holds it up too', async () => {
  const {send, signals} = guarded(() => false)
  signals.inDoubt.tell(1)
  const halt = new StorectlError('auth.webhook_token', 'the token was refused')
  await send('refused', {resultClass: 'failed', result: 'failed', halt})
  expect(signals.isPaused).toBe(true)
  signals.close()
})
