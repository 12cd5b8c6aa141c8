import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createTransactions} from '../../../src/payment/transactions.js'
import {LookAhead} from '../../../src/webhook/replay/look-ahead.js'
import {NOW, openPayment, otherEvent, plannedCapture} from './replayed-payment.js'

/** Who refunds the payment after it was looked at, and how long after. */
const change = fc.record({
  by: fc.constantFrom('the shop', 'another replay', 'the provider through a capture'),
  waitMs: fc.integer({min: 0, max: 4000}),
})

test('an event is not sent to a payment that another delivery has changed since it was looked at', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(change), fc.option(change), async (beforePrepare, beforeSend) => {
      const {payment, operation} = openPayment({resultClass: 'done', result: 'applied'})
      const item = plannedCapture()
      const refund = (by: string) => {
        payment.state = 'refunded'
        if (by !== 'the shop') payment.events = [otherEvent('delivered')]
      }
      operation.lookAhead?.(item)
      await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
      if (beforePrepare) {
        refund(beforePrepare.by)
        payment.nowMs += beforePrepare.waitMs
      }
      const isOld = payment.nowMs - NOW.getTime() >= 2000
      if ((await operation.prepare(item)) === 'send') {
        if (beforeSend) refund(beforeSend.by)
        await operation.execute(item, 1, () => undefined)
      }
      const byShop = (isOld ? [beforeSend] : [beforePrepare, beforeSend]).filter(
        one => one?.by === 'the shop',
      )
      if (byShop.length === 0) expect(payment.sentIn).not.toContain('refunded')
      if (!beforePrepare && !beforeSend) expect(payment.sentIn).toEqual(['open'])
    }),
    {numRuns: 300},
  )
})

test('look-ups that nothing waits for share a call with others; the first that somebody waits for takes them along', async () => {
  const calls: string[][] = []
  const transactions = createTransactions({
    search: {
      baseUrl: new URL('https://shop.example'),
      call: async ({body}) => {
        const {ids} = JSON.parse(String(body)) as {ids: string[]}
        calls.push(ids)
        const data = ids.map(id => ({
          id,
          stateMachineState: {technicalName: 'open'},
          amount: {totalPrice: 1},
        }))
        return {status: 200, headers: {}, body: Buffer.from(JSON.stringify({data}))} as never
      },
    },
    refusal: () => new Error('refused') as never,
  })
  const find = (digit: string, how: 'find' | 'findSoon') =>
    transactions[how]({by: 'id', id: digit.repeat(32)})
  const soon = [...'0123'].map(digit => find(digit, 'findSoon'))
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  expect(calls).toEqual([])
  expect(await find('4', 'find')).toMatchObject({state: 'open'})
  expect(await Promise.all(soon)).toHaveLength(4)
  expect(calls.map(ids => ids.length)).toEqual([5])
})

test.each([
  ['is used', false, 'open'],
  ['is not used while a capture hands on an event of that payment', true, undefined],
])('what was seen ahead %s', async (_, isInFlight, state) => {
  const find = async () => ({id: 'a', state: 'open', amountTotal: 1, payUponInvoice: false}) as const
  const ahead = new LookAhead({
    transactions: {find, findSoon: find, askNow: () => undefined},
    findActivity: async () => ({isInFlight, delivered: [], others: []}) as never,
    now: () => NOW,
  })
  const {value} = plannedCapture()
  ahead.begin(value)
  expect((await ahead.take(value))?.transaction?.state).toBe(state)
})

test('who waits for what was to be seen ahead has it asked for at once', async () => {
  let asked: (() => void) | undefined
  const find = () =>
    new Promise<never>(resolve => {
      asked = () => resolve({id: 'a', state: 'open', amountTotal: 1, payUponInvoice: false} as never)
    })
  const ahead = new LookAhead({
    transactions: {find, findSoon: find, askNow: () => asked?.()},
    findActivity: async () => ({isInFlight: false}) as never,
    now: () => NOW,
  })
  const {value} = plannedCapture()
  // While a call is under way nothing hurries of its own accord.
  ahead.noteSend()
  ahead.begin(value)
  await new Promise(resolve => setImmediate(resolve))
  expect((await ahead.take(value))?.transaction?.state).toBe('open')
})
