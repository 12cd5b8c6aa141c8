import {describe, expect, test} from 'vitest'
import {testShop} from '../../support/shop.js'

describe('fulfillment orders', () => {
  const PATH = '/api/fulfillment/order'

  let last = 0
  const order = () => ({
    reference: `SO-${++last}`,
    lines: [{sku: 'TEA-1', quantity: 2}],
    shipTo: {name: 'Zoë Straße', street: 'Am Hang 1/2', city: 'Łódź', postalCode: '01067', country: 'PL'},
  })

  test('an answer lost after the commit is found again by sending the same once more', async () => {
    const flaky = await testShop({faults: ['route=order,reset=after-commit,count=1']})
    const body = order()
    await expect(flaky.call(PATH, body)).rejects.toThrow()
    const again = await flaky.call(PATH, body)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  })

  test('orders and keys are there after a restart', async () => {
    const first = await testShop()
    const body = order()
    await first.call(PATH, body, {'idempotency-key': 'kept'})
    await first.stop()
    const second = await testShop({dataFolder: first.dataFolder})
    expect((await second.call(PATH, body)).headers.get('idempotency-replayed')).toBe('true')
    expect((await second.call(PATH, order(), {'idempotency-key': 'kept'})).status).toBe(422)
  })

  test('with the fault reference=not-unique a second submission creates a second order', async () => {
    const forgetful = await testShop({faults: ['route=order,reference=not-unique']})
    const body = order()
    const ids = new Set<string>()
    const made: (string | null)[] = []
    for (const note of ['one', 'one', 'another']) {
      const answer = await forgetful.call(PATH, {...body, note}, {'idempotency-key': 'K1'})
      ids.add(((await answer.json()) as {id: string}).id)
      made.push(answer.headers.get('idempotency-replayed'))
    }
    expect(made).toEqual([null, null, null])
    expect(ids.size).toBe(3)
    const found = await forgetful.call('/api/search/fulfillment-order', {
      filter: [{type: 'equals', field: 'reference', value: body.reference}],
    })
    expect((await found.json()) as object).toMatchObject({data: [{}, {}, {}]})
  })
})
