import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {Result} from '../../../src/runs/journal/item.js'
import {openPayment, otherEvent, plannedCapture} from './replayed-payment.js'

const LOST = {resultClass: 'unknown', result: 'unknown'} as const

test('an event that a capture has delivered since the plan is not sent, though a newer one was delivered too', async () => {
  const {payment, operation} = openPayment(LOST)
  const item = plannedCapture()
  payment.state = 'paid'
  payment.events = [otherEvent('delivered', {id: item.key, createdAt: new Date(0)}), otherEvent('delivered')]
  expect(await operation.prepare(item)).toMatchObject({
    ...{
      resultClass: 'held',
      result: 'skipped',
      detail: 'delivered: delivered by someone else since the plan',
    },
  })
})

test('an event that is known to be forged by then is not sent, whatever the plan says', async () => {
  const {operation} = openPayment(LOST)
  const item = plannedCapture()
  const forged = {...item, value: {...item.value, event: {...item.value.event, sender: 'forged' as const}}}
  expect(await operation.prepare(forged)).toMatchObject({
    result: 'held',
    detail: 'forged: the provider did not send it',
  })
})

test('an event is not sent when a capture has handed on another of its payment since its state was checked', async () => {
  const {payment, operation} = openPayment(LOST)
  const item = plannedCapture()
  expect(await operation.prepare(item)).toBe('send')
  for (const other of [otherEvent('failed'), otherEvent('pending', {isInFlight: true, attempts: 0})]) {
    payment.events = [other]
    expect(await operation.execute(item, 1, () => undefined)).toEqual({
      ...{resultClass: 'held', result: 'held'},
      detail: 'in-flight: a capture forwarded an event of its payment meanwhile',
    })
  }
  expect(payment.sentIn).toEqual([])
})

test('an event is not sent while a capture forwards another of its payment', async () => {
  const {payment, operation} = openPayment(LOST)
  payment.events = [otherEvent('failed', {isInFlight: true})]
  expect(await operation.prepare(plannedCapture())).toEqual({
    ...{resultClass: 'held', result: 'held'},
    detail: 'in-flight: a capture is forwarding an event of its payment',
  })
})

test('an event that is in doubt itself is sent where its own earlier attempt was judged, and not otherwise', async () => {
  const {payment, operation} = openPayment({resultClass: 'later', result: 'failed'})
  const inDoubt = [otherEvent('unknown', {id: plannedCapture().key})]
  payment.events = inDoubt
  expect(await operation.prepare({...plannedCapture(), unsure: true})).toBe('send')
  const unjudged = {
    ...{resultClass: 'held', result: 'held'},
    detail: 'unknown-result: somebody else sent it since the plan, and the shop may still be at work on it',
  }
  expect(await operation.prepare(plannedCapture())).toEqual(unjudged)
  payment.events = []
  const item = plannedCapture()
  expect(await operation.prepare(item)).toBe('send')
  await operation.execute(item, 1, () => undefined)
  payment.events = inDoubt
  expect(await operation.prepare(item)).toMatchObject({resultClass: 'unknown', result: 'unknown'})
})

test.each([
  ['100.00', {result: 'held', detail: expect.stringContaining("the provider's order has 100.00 EUR")}],
  ['200.00', 'send'],
])(
  'the last capture of a payment over 200.00, of which the provider has captured %s',
  async (value, expected) => {
    const ordered = [{value, currency: 'EUR'}]
    const {payment, operation} = openPayment(LOST, undefined, {total: 200, ordered})
    payment.state = 'paid_partially'
    const prepared = await operation.prepare(plannedCapture())
    if (expected === 'send') expect(prepared).toBe('send')
    else expect(prepared).toMatchObject(expected as object)
  },
)

test('an event is sent behind one in doubt where what is in doubt was released', async () => {
  const {payment, operation} = openPayment(LOST, undefined, {includeUnknown: true})
  payment.events = [otherEvent('unknown')]
  expect(await operation.prepare(plannedCapture())).toBe('send')
})

test('what is stored with an attempt, and with one that is left open, is how its payment was before', async () => {
  const others = {all: 2, delivered: 2}
  const delivered = [otherEvent('delivered', {createdAt: new Date(0)})]
  for (const [resultClass, facts] of [
    ['unknown', {before: 'open', others}],
    ['later', {before: 'open', others}],
    ['done', undefined],
  ] as const) {
    const {payment, operation} = openPayment({resultClass, result: 'x'}, undefined, {mayStillArrive: true})
    payment.events = delivered
    const item = plannedCapture()
    await operation.prepare(item)
    expect(operation.describeIntent?.(item)).toEqual({before: 'open', others, via: 'provider'})
    expect((await operation.execute(item, 1, () => undefined)).facts).toEqual(facts)
  }
})

test('another event that failed proves nothing against a state that stayed, and something against one that moved', async () => {
  const {payment, operation} = openPayment(LOST)
  const item = plannedCapture()
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  payment.events = [otherEvent('failed')]
  expect(await operation.probe(item)).toBe('not-applied')
  payment.state = 'paid'
  expect(await operation.probe(item)).toBe('cannot-tell')
})

test('an attempt of this run that no state can judge is not released with those of earlier runs', async () => {
  const {payment, operation} = openPayment(LOST, undefined, {includeUnknown: true})
  const item = plannedCapture()
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  payment.state = 'paid'
  payment.events = [otherEvent('delivered')]
  expect(await operation.probe(item)).toBe('cannot-tell')
})

test('what the provider may still deliver is not called lost', async () => {
  const {operation} = openPayment(LOST, undefined, {mayStillArrive: true})
  const item = plannedCapture()
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  expect(await operation.probe(item)).toBe('cannot-tell')
})

test('an event whose effect was there before may be sent again after an attempt that changed nothing', async () => {
  const {payment, operation} = openPayment({resultClass: 'later', result: 'failed'})
  const item = plannedCapture({isUnsure: true})
  payment.state = 'paid'
  expect(await operation.prepare(item)).toBe('send')
  await operation.execute(item, 1, () => undefined)
  expect(await operation.prepare(item)).toBe('send')
})

test('an event that the shop does not handle may be sent again, whatever else was delivered', async () => {
  const {payment, operation} = openPayment({resultClass: 'later', result: 'failed'})
  const planned = plannedCapture()
  const event = {...planned.value.event, type: 'CHECKOUT.ORDER.APPROVED'}
  const item = {...planned, value: {...planned.value, event}}
  expect(await operation.prepare(item)).toBe('send')
  await operation.execute(item, 1, () => undefined)
  payment.events = [otherEvent('delivered')]
  expect(await operation.prepare(item)).toBe('send')
})

test.each(['open', 'paid'])('the state %s proves nothing once another event was delivered', async state => {
  const {payment, operation} = openPayment(LOST)
  const item = plannedCapture()
  expect(await operation.prepare(item)).toBe('send')
  expect(await operation.execute(item, 1, () => undefined)).toMatchObject({resultClass: 'unknown'})
  payment.state = state
  payment.events = [otherEvent('delivered')]
  expect(await operation.probe(item)).toBe('cannot-tell')
  expect(await operation.prepare(item)).toMatchObject({
    ...{resultClass: 'unknown', result: 'unknown', exit: 'unavailable'},
    detail:
      state === 'open'
        ? 'other events of its payment, which is open, were delivered after an attempt that failed'
        : 'the transaction went from open to paid after an attempt that failed',
    facts: {before: 'open', others: {all: 0, delivered: 0}},
  })
})

test.each(['open', 'paid'])('the state %s proves nothing while another event is in flight', async state => {
  const {payment, operation} = openPayment(LOST)
  const item = plannedCapture()
  const createdAt = new Date(0)
  payment.events = [otherEvent('delivered', {createdAt})]
  expect(await operation.prepare(item)).toBe('send')
  payment.state = state
  payment.events = [otherEvent('delivered', {createdAt, isInFlight: true})]
  expect(await operation.probe(item)).toBe('cannot-tell')
  const earlier = {...plannedCapture(), attemptFacts: {before: 'open', others: {all: 2, delivered: 2}}}
  expect(await operation.probe(earlier)).toBe('cannot-tell')
})

test('the state proves nothing where a capture delivered the event itself meanwhile', async () => {
  const {payment, operation} = openPayment(LOST)
  const item = plannedCapture()
  payment.events = [otherEvent('failed', {id: item.key})]
  expect(await operation.prepare(item)).toBe('send')
  payment.state = 'paid'
  payment.events = [otherEvent('delivered', {id: item.key, attempts: 2})]
  expect(await operation.probe(item)).toBe('cannot-tell')
  expect(await operation.prepare(item)).toMatchObject({result: 'skipped'})
})

test('what a person released is taken as applied only where no other event was delivered since', async () => {
  const {payment, operation} = openPayment(LOST, undefined, {includeUnknown: true})
  payment.state = 'paid'
  payment.events = [otherEvent('delivered')]
  const released = (others: object) => ({...plannedCapture(), attemptFacts: {before: 'open', others}})
  expect(await operation.probe(released({all: 2, delivered: 2}))).toMatchObject({result: 'applied'})
  expect(await operation.probe(released({all: 1, delivered: 0}))).toBe('not-applied')
})

test('a delivery that the provider was asked for is seen by its state, though it comes through a capture', async () => {
  const {payment, operation} = openPayment(LOST, undefined, {mayStillArrive: true})
  const item = plannedCapture()
  payment.events = [otherEvent('failed', {id: item.key})]
  expect(await operation.prepare(item)).toBe('send')
  payment.state = 'paid'
  payment.events = [otherEvent('unknown', {id: item.key, isInFlight: true})]
  expect(await operation.probe(item)).toBe('not-now')
  payment.events = [otherEvent('delivered', {id: item.key, attempts: 2})]
  expect(await operation.probe(item)).toMatchObject({result: 'applied'})
})

test.each([
  [59, 'delivered', 'applied', {resultClass: 'done', result: 'applied'}],
  [
    ...([60, 'delivered', 'applied'] as const),
    {
      ...{resultClass: 'unknown', result: 'unknown', status: 200, exit: 'unavailable'},
      detail: 'open → paid; another event of its payment was forwarded meanwhile',
    },
  ],
  [60, 'pending', 'applied', {resultClass: 'done', result: 'applied'}],
  [60, 'delivered', 'unchanged', {resultClass: 'done', result: 'unchanged'}],
] as const)(
  'an attempt of %i s, in which another event was %s, and ended as %s, comes to what its state can show',
  async (seconds, status, ended, result) => {
    const detail = 'open → paid'
    const {payment, operation} = openPayment({resultClass: 'done', result: ended, status: 200, detail})
    const item = plannedCapture()
    await operation.prepare(item)
    const sent = operation.execute(item, 1, () => {
      payment.nowMs += seconds * 1000
      payment.events = [otherEvent(status)]
    })
    expect(await sent).toMatchObject(result)
  },
)

test('an event waits while a call of an earlier run may be at work on another, though the provider delivered that', async () => {
  const {payment, operation} = openPayment(LOST)
  const doubtedAtMs = payment.nowMs
  payment.events = [otherEvent('delivered', {createdAt: new Date(0), doubtedAtMs})]
  expect(await operation.prepare(plannedCapture())).toMatchObject({
    result: 'held',
    detail: expect.stringContaining('may still be at work on WH-OTHER'),
  })
  payment.nowMs += 600_000
  expect(await operation.prepare(plannedCapture())).toBe('send')
})

test('a payment that was looked at ahead is not looked at again, unless an event of it was delivered since', async () => {
  let looks = 0
  const {payment, operation} = openPayment(LOST, () => void looks++)
  const ahead = async (more: object = {}) => {
    looks = 0
    const item = {...plannedCapture(), ...more}
    operation.lookAhead?.(item)
    await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
    return item
  }
  const same = await ahead()
  expect(looks).toBe(1)
  expect(await operation.prepare(same)).toBe('send')
  expect(looks).toBe(1)
  const changed = await ahead()
  payment.events = [otherEvent('failed')]
  expect(await operation.prepare(changed)).toBe('send')
  expect(looks).toBe(2)
  // What came of an earlier attempt is looked up first.
  await ahead({unsure: true})
  expect(looks).toBe(0)
})

test('what is held just before it is sent has the state of that moment', async () => {
  const {payment, operation} = openPayment(LOST)
  payment.state = 'refunded'
  expect(await operation.prepare(plannedCapture())).toMatchObject({
    ...{resultClass: 'held', result: 'held', detail: expect.stringContaining('out-of-order')},
    facts: {before: 'refunded'},
  })
})

test('an attempt of which no state was stored was not lost for sure once another event was delivered', async () => {
  const {payment, operation} = openPayment(LOST)
  const endedAt = otherEvent('delivered').changedAtMs
  const capture = (ms: number) => ({...plannedCapture(), attemptFacts: {endedAt: new Date(ms).toISOString()}})
  expect(await operation.probe(capture(endedAt - 1))).toBe('not-applied')
  payment.events = [otherEvent('delivered')]
  expect(await operation.probe(capture(endedAt - 1))).toBe('cannot-tell')
  expect(await operation.probe(capture(endedAt + 1))).toBe('not-applied')
})

test('nor is one applied for sure once a capture delivered the event itself, or was cut short with another', async () => {
  const {payment, operation} = openPayment(LOST)
  payment.state = 'paid'
  const others = {all: 2, delivered: 2}
  const item = {...plannedCapture(), attemptFacts: {before: 'open', others}}
  payment.events = [otherEvent('delivered')]
  expect(await operation.probe(item)).toMatchObject({result: 'applied'})
  payment.events = [otherEvent('delivered'), otherEvent('delivered', {id: item.key})]
  expect(await operation.probe(item)).toBe('cannot-tell')
  // What a killed capture was handing on has as many attempts as before.
  payment.events = [otherEvent('unknown')]
  expect(await operation.probe(item)).toBe('cannot-tell')
})

test('what was stored with an attempt of an earlier run tells whether others were delivered since', async () => {
  const {payment, operation} = openPayment(LOST)
  payment.state = 'paid'
  payment.events = [otherEvent('delivered')]
  const capture = (others: object) => ({...plannedCapture(), attemptFacts: {before: 'open', others}})
  expect(await operation.probe(capture({all: 2, delivered: 2}))).toMatchObject({result: 'applied'})
  expect(await operation.probe(capture({all: 1, delivered: 0}))).toBe('cannot-tell')
})

test.each([
  ['unavailable.shop', false],
  ['auth.refused', true],
] as const)(
  'where the state cannot be looked up, nothing is sent: %s stops the run, or not',
  async (code, stops) => {
    const {payment, operation} = openPayment(LOST, () => {
      throw new StorectlError(code, 'no answer')
    })
    const result = await operation.prepare(plannedCapture())
    expect(result).toMatchObject({
      ...{resultClass: 'failed', result: 'failed', exit: stops ? 'auth' : 'unavailable'},
      detail: 'not sent, because the state check failed: no answer',
    })
    expect((result as Result).halt !== undefined).toBe(stops)
    expect(payment.sentIn).toEqual([])
  },
)

test('an event that was prepared before a pause and not sent is judged by its payment as it is after the pause', async () => {
  const {payment, operation} = openPayment(LOST)
  const item = plannedCapture()
  expect(await operation.prepare(item)).toBe('send')
  payment.state = 'authorized'
  payment.events = [otherEvent('delivered', {createdAt: new Date(0)})]
  expect(await operation.prepare(item)).toBe('send')
  payment.state = 'paid'
  expect(await operation.prepare(item)).toMatchObject({resultClass: 'held', result: 'skipped'})
  payment.events = [otherEvent('unknown', {id: item.key})]
  expect(await operation.prepare(item)).toMatchObject({detail: expect.stringContaining('unknown-result')})
  expect(payment.sentIn).toEqual([])
})

test.each([
  ['forged', {sender: 'forged'}, {result: 'held', detail: 'forged: the provider did not send it'}],
  [
    'resolved',
    {status: 'resolved'},
    {result: 'skipped', detail: 'resolved: resolved by hand since the plan'},
  ],
  [
    'in conflict',
    {hasConflict: true},
    {result: 'invalid', detail: 'invalid: several bodies have this id by now'},
  ],
] as const)(
  'an event that is known to be %s after an attempt is that, whatever its state shows',
  async (_, known, expected) => {
    const {payment, operation} = openPayment({resultClass: 'later', result: 'failed'})
    const item = plannedCapture()
    payment.events = [otherEvent('failed', {id: item.key})]
    await operation.prepare(item)
    await operation.execute(item, 1, () => undefined)
    payment.state = 'paid'
    expect(await operation.prepare(item)).toMatchObject({result: 'applied'})
    payment.events = [otherEvent('failed', {id: item.key, ...known})]
    expect(await operation.prepare(item)).toMatchObject(expected)
  },
)

test('an event is not sent while a known event of its payment is in flight again', async () => {
  const {payment, operation} = openPayment(LOST)
  const item = plannedCapture()
  payment.events = [otherEvent('failed')]
  expect(await operation.prepare(item)).toBe('send')
  payment.events = [otherEvent('failed', {isInFlight: true})]
  expect(await operation.execute(item, 1, () => undefined)).toMatchObject({resultClass: 'held'})
  expect(payment.sentIn).toEqual([])
})

test('what the provider may still deliver is not called not applied', async () => {
  const {operation} = openPayment(LOST, undefined, {mayStillArrive: true})
  const item = plannedCapture()
  await operation.prepare(item)
  await operation.execute(item, 1, () => undefined)
  expect(await operation.probe(item)).toBe('cannot-tell')
})

test('a state that was seen ahead does not count once another event was forwarded', async () => {
  const {payment, operation} = openPayment(LOST)
  const item = plannedCapture()
  operation.lookAhead?.(item)
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  payment.state = 'paid'
  payment.events = [otherEvent('delivered', {createdAt: new Date(0)})]
  expect(await operation.prepare(item)).toMatchObject({result: 'skipped'})
})

test('a person releases what earlier runs left in doubt, and nothing of the run itself', async () => {
  const {payment, operation} = openPayment(LOST, undefined, {includeUnknown: true})
  const item = plannedCapture()
  payment.events = [otherEvent('unknown')]
  expect(await operation.prepare(item)).toBe('send')
  expect(await operation.execute(item, 1, () => undefined)).toMatchObject({resultClass: 'unknown'})
  payment.state = 'paid'
  payment.events = [otherEvent('delivered', {attempts: 2})]
  expect(await operation.probe(item)).toBe('cannot-tell')
})
