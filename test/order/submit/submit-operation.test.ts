import {expect, test} from 'vitest'
import {createSubmitOperation} from '../../../src/order/submit/submit-operation.js'
import type {Item} from '../../../src/runs/journal/item.js'

const NOW = new Date('2026-11-20T12:00:00Z')

/** A shop that answers each order with a conflict, and knows none by its reference. */
function openShop() {
  const call = async ({path}: {path: string}) => {
    const isOrder = path === '/api/fulfillment/order'
    const body = isOrder ? {errors: [{code: 'CONFLICT', detail: 'reference taken'}]} : {data: []}
    return {status: isOrder ? 409 : 200, headers: {}, body: Buffer.from(JSON.stringify(body))}
  }
  const client = {baseUrl: new URL('http://shop'), call}
  return createSubmitOperation({
    shop: {
      ...{profile: {name: 'shop', url: client.baseUrl}, signed: client, patient: client},
      describeErrors: () => 'reference taken',
      retryAfterMs: () => undefined,
    } as never,
    ...{
      target: 'shop',
      run: 'run',
      trustsKey: false,
      rules: {} as never,
      clock: {readTicks: () => 0, now: () => NOW},
    },
  })
}

const order = (unsure: boolean): Item<never> => ({
  ...{key: 'A-1', orderingKey: 'A-1', contentHash: 'ab', unsure},
  value: {
    index: 0,
    order: {reference: 'A-1'},
    body: '{}',
    location: {input: 0, listRanges: () => []},
  } as never,
})

test.each([
  [true, {resultClass: 'unknown', result: 'unknown'}],
  [false, {resultClass: 'failed', result: 'rejected'}],
])('a conflict of an order that an earlier run left in doubt (%s) is not final', async (unsure, result) => {
  expect(await openShop().execute(order(unsure), 1, () => undefined)).toMatchObject(result)
})
