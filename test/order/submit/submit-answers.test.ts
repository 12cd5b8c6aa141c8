import {hash} from 'node:crypto'
import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import {
  compareWithShop,
  createSubmitOperation,
  toEndedOrder,
} from '../../../src/order/submit/submit-operation.js'
import {RAW} from '../../../src/order/validate/order-rules.js'
import type {Result} from '../../../src/runs/journal/item.js'

const NOW_MS = 1_000_000
const ORDER = {reference: 'R1', note: 'two parcels'}

type Answer = {status: number; body?: object} | StorectlError

const away = new StorectlError('unavailable.timeout', 'no answer')
const notConnected = new StorectlError('unavailable.not_connected', 'no connection')
const forbidden = new StorectlError('auth.forbidden', 'HTTP 403')
const CREATED = {status: 200, body: {id: 'ID1', reference: 'R1'}}
const CONFLICT = {status: 409, body: {errors: [{code: 'CONFLICT', detail: 'taken'}]}}
const found = (more: object = {}) => ({status: 200, body: {data: [{id: 'ID1', ...ORDER, ...more}]}})
const NOTHING = {status: 200, body: {data: []}}

/** A shop that gives one answer after the other: to orders, and to look-ups, by whom each was asked. */
function openSubmit(posts: Answer[], looks: Answer[] = [], {trustsKey = false} = {}) {
  const keys: unknown[] = []
  const asked: string[] = []
  const answer = (next: Answer | undefined) => {
    if (!next) throw new Error('asked too often')
    if (next instanceof StorectlError) throw next
    return {status: next.status, headers: {}, body: Buffer.from(JSON.stringify(next.body ?? {}))}
  }
  const openClient = (by: string) => ({
    baseUrl: new URL('http://shop'),
    call: async ({path, headers}: {path: string; headers: Record<string, string>}) => {
      if (path.includes('search')) {
        asked.push(by)
        return answer(looks.shift())
      }
      keys.push(headers['idempotency-key'])
      return answer(posts.shift())
    },
  })
  const operation = createSubmitOperation({
    shop: {
      ...{signed: openClient('signed'), patient: openClient('patient')},
      profile: {name: 'shop', url: new URL('http://shop')},
      refusal: ({status}: {status: number}) =>
        new StorectlError(status >= 500 ? 'unavailable.shop_failed' : 'auth.forbidden', `HTTP ${status}`),
      describeErrors: () => 'taken',
      retryAfterMs: () => undefined,
      confirmWrite: async () => undefined,
    } as never,
    ...{
      target: 'shop',
      run: 'RUN',
      trustsKey,
      rules: RAW,
      clock: {readTicks: () => 0, now: () => new Date(NOW_MS)},
    },
  })
  const open = (reference: string, more: object = {}) => ({
    ...{key: reference, orderingKey: reference, contentHash: 'c'.repeat(64)},
    value: {
      ...{index: 3, order: {...ORDER, reference}, body: '{}'},
      location: {input: 2, listRanges: () => [{start: 1, end: 5}]},
    },
    ...more,
  })
  const item = open('R1')
  const send = (sent: object = item) => operation.execute(sent as never, 1, () => undefined)
  return {operation, item, open, send, keys, asked}
}

test('the key of an order is that of its shop, its reference and its content', async () => {
  const {send, open, keys} = openSubmit([CREATED, {status: 200, body: {id: 'ID2'}}])
  await send()
  await send(open('R2', {contentHash: 'd'.repeat(64)}))
  const keyOf = (reference: string, content: string) =>
    hash('sha256', `shop\n${reference}\n${content.repeat(64)}`).slice(0, 32)
  expect(keys).toEqual([keyOf('R1', 'c'), keyOf('R2', 'd')])
})

test('an order that was turned away is looked up before it is sent again, and no other', async () => {
  const {operation, item, send, asked} = openSubmit(
    [{status: 429}, {status: 429}, CREATED],
    [NOTHING, found()],
  )
  expect(await operation.prepare(item)).toBe('send')
  await send()
  expect(await operation.prepare(item)).toBe('send')
  await send()
  expect(await operation.prepare(item)).toMatchObject({
    ...{resultClass: 'done', result: 'created', detail: 'looked up: the shop has it', facts: {id: 'ID1'}},
  })
  expect(asked).toEqual(['signed', 'signed'])
  await send()
  expect(await operation.prepare(item)).toBe('send')
})

test('what an earlier look says of an order takes the place of sending it', async () => {
  const {operation, item} = openSubmit([])
  const known: Result = {resultClass: 'done', result: 'exists'}
  expect(await operation.prepare({...item, value: {...item.value, known}})).toBe(known)
})

const inDoubt = {resultClass: 'unknown', result: 'unknown', exit: 'unavailable'}

test('a conflict with an order that may have been sent before stays in doubt, and otherwise is one', async () => {
  const {send, open} = openSubmit(
    [away, CONFLICT, away, {status: 429}, CONFLICT, CONFLICT],
    [found({note: 'one parcel'}), found({note: 'one parcel'})],
  )
  expect(await send()).toMatchObject(inDoubt)
  expect(await send()).toMatchObject({...inDoubt, status: 409})
  await send()
  expect(await send()).toMatchObject({resultClass: 'later'})
  // The shop turned it away: nothing of it is open.
  expect(await send()).toMatchObject({resultClass: 'failed', result: 'conflict', exit: 'rejected'})
  expect(await send(open('R1', {unsure: true}))).toMatchObject(inDoubt)
})

test.each<[string, Answer, object]>([
  [
    ...(['differs', found({note: 'one parcel'})] as const),
    {
      ...{result: 'conflict', detail: 'note is "one parcel" in the shop and "two parcels" here'},
      facts: {id: 'ID1', differences: [{field: 'note', ours: 'two parcels', theirs: 'one parcel'}]},
    },
  ],
  [
    'is the same',
    found(),
    {result: 'conflict', detail: 'taken; its order does not differ', facts: {id: 'ID1'}},
  ],
  ['is not there', NOTHING, {result: 'rejected', detail: 'taken; it has no order under the reference'}],
  ['cannot be asked for', away, {result: 'conflict', detail: 'taken; the lookup of the reference failed'}],
  ['has no route', {status: 404}, {result: 'conflict', detail: 'taken; it cannot look up references'}],
  ['may not be asked for', forbidden, {result: 'conflict', detail: 'taken; it cannot look up references'}],
])('a conflict where the order of the shop %s', async (_, look, expected) => {
  const {send} = openSubmit([CONFLICT], [look])
  expect(await send()).toMatchObject({resultClass: 'failed', status: 409, exit: 'rejected', ...expected})
})

test('an order without a connection was not sent, unless it was before', async () => {
  const first = openSubmit([notConnected, {status: 503}, notConnected, notConnected])
  expect(await first.send()).toMatchObject({resultClass: 'later', result: 'not-sent'})
  await first.send()
  expect(await first.send()).toMatchObject({resultClass: 'later', result: 'failed'})
  expect(await first.send(first.open('R2', {unsure: true}))).toMatchObject({result: 'failed'})
  const never = openSubmit([notConnected, notConnected])
  for (let time = 0; time < 2; time++) expect(await never.send()).toMatchObject({result: 'not-sent'})
  const created = openSubmit([CREATED, notConnected])
  await created.send()
  expect(await created.send()).toMatchObject({result: 'not-sent'})
  const refused = openSubmit([{status: 429}, notConnected])
  await refused.send()
  expect(await refused.send()).toMatchObject({result: 'failed'})
})

test('an id that another order has leaves an order open, and its own does not', async () => {
  const {send, open} = openSubmit([CREATED, CREATED, {status: 200, body: {id: 'ID1'}}])
  expect(await send()).toMatchObject({result: 'created'})
  expect(await send()).toMatchObject({result: 'created', facts: {id: 'ID1'}})
  expect(await send(open('R2'))).toMatchObject({
    ...inDoubt,
    ...{status: 200, detail: 'answered with the id of another order, ID1'},
  })
})

test.each<[string, Answer, boolean, object | string]>([
  [
    ...(['differs', found({note: 'one parcel'}), false] as const),
    {
      ...inDoubt,
      ...{detail: 'note is "one parcel" in the shop and "two parcels" here', facts: {id: 'ID1'}},
    },
  ],
  [
    ...(['is there', found(), false] as const),
    {resultClass: 'done', result: 'created', detail: 'looked up: the shop has it', facts: {id: 'ID1'}},
  ],
  ['is not there', NOTHING, false, 'not-applied'],
  ['cannot be asked for', away, true, 'not-now'],
  ['has no route', {status: 405}, false, 'cannot-tell'],
  ['has no route, though the key holds', {status: 405}, true, 'not-applied'],
  ['may not be asked for', forbidden, false, 'cannot-tell'],
])('an order without an answer that %s', async (_, look, trustsKey, expected) => {
  const {operation, item} = openSubmit([], [look], {trustsKey})
  const probed = await operation.probe(item)
  if (typeof expected === 'string') expect(probed).toBe(expected)
  else expect(probed).toMatchObject(expected)
})

test.each([429, 500, 503])('a look-up that is answered %i is made again by who waits', async status => {
  const {operation, item, asked} = openSubmit([], [{status}, NOTHING])
  expect(await operation.probe(item)).toBe('not-applied')
  expect(asked).toEqual(['signed', 'patient'])
})

test('a shop that refuses at once is not at work on the order', async () => {
  expect(await openSubmit([{status: 503}]).send()).toMatchObject({...inDoubt, doubt: 'refused'})
})

test('an order of the shop under the same reference is a conflict where it differs', () => {
  const theirs = {id: 'ID1', ...ORDER, note: 'one parcel'}
  expect(compareWithShop(ORDER, theirs, RAW)).toMatchObject({
    ...{resultClass: 'failed', result: 'conflict', exit: 'rejected', facts: {id: 'ID1'}},
  })
  expect(compareWithShop(ORDER, {id: 'ID1', ...ORDER}, RAW)).toBeUndefined()
})

test('only a shop that honours the key may be sent again what it may be at work on', async () => {
  for (const answer of [away, {status: 504}]) {
    expect((await openSubmit([answer], [], {trustsKey: true}).send()).doubt).toBe('refused')
  }
  expect((await openSubmit([away]).send()).doubt).toBeUndefined()
  expect(await openSubmit([CREATED], [], {trustsKey: true}).send()).not.toHaveProperty('doubt')
})

test('an order ends with its place in the input where it failed', () => {
  const {item} = openSubmit([])
  const rejected: Result = {resultClass: 'failed', result: 'rejected', status: 400, detail: 'no lines'}
  expect(toEndedOrder(item, rejected, 2, 'RUN')).toMatchObject({
    ...{index: 3, row: {reference: 'R1', attempts: 2, run: 'RUN'}},
    rejected: {input: 2, stretches: [{start: 1, end: 5}], status: 'rejected', detail: 'no lines'},
  })
  expect(toEndedOrder(item, {resultClass: 'failed', result: 'failed'}, 1, null).rejected?.detail).toBe('')
  expect(toEndedOrder(item, {resultClass: 'done', result: 'created'}, 1, 'RUN')).toMatchObject({
    ...{index: 3, row: {status: 'created'}, rejected: undefined},
  })
})
