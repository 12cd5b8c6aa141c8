import {expect, test} from 'vitest'
import {SkippingClock} from '../../support/clock.js'
import {newDatabase} from '../../support/postgres/database.js'
import {event, file, ndjson, replay, testShop, transactionId} from '../support.js'

const MINUTE_MS = 60_000

test.each([
  ['behind', -20],
  ['ahead', 20],
])(
  'on PostgreSQL, a call that a machine gave up whose clock is %s is presumed lost by the database’s clock',
  async (_, minutes) => {
    const shop = await testShop({[transactionId(0)]: 'open'})
    const env = {STORECTL_DATABASE_URL: await newDatabase()}
    shop.intercept = (_request, count) => (count === 1 ? {status: 504} : undefined)
    const given = [file(ndjson([event(0)])), '--canary', '0', '--grace-period', '0']
    const lost = await replay(shop, given, {env, clock: new SkippingClock(minutes * MINUTE_MS)})
    expect(lost.rows).toMatchObject([{result: 'unknown'}])

    const early = await replay(shop, [], {env, clock: new SkippingClock()})
    expect(early.rows).toMatchObject([{result: 'held', detail: expect.stringContaining('unknown-result')}])
    expect(shop.received).toHaveLength(1)
  },
)
