import {expect, test} from 'vitest'
import {testContext} from '../../support/context.js'
import {readJsonLines} from '../../support/json-lines.js'
import {storectl} from '../../support/storectl.js'
import {eventId, openPayments} from '../support.js'
import {AWAY, importEvents, startWatch, watchedShop} from './support.js'

test('an outage is ended by one run: probes while the shop is away, and no event before two are good', async () => {
  const {states, events} = openPayments(12)
  const shop = await watchedShop(states)
  let failures = 6
  shop.away = () => (failures-- > 0 ? AWAY : undefined)
  const before = testContext({env: shop.env})
  await importEvents(events, before)
  const watch = startWatch(shop, {home: before.home})
  await watch.until(() => shop.calls().length >= 20)
  await watch.until(() => watch.context.err().includes('12 applied'))
  const {exit, stdout, stderr} = await watch.stop()
  expect(exit).toBe(0)
  expect(shop.calls().slice(0, 8)).toEqual(Array(8).fill('probe'))
  expect(shop.calls().slice(8).sort()).toEqual(events.map((_, index) => eventId(index)).sort())
  expect(readJsonLines(stdout)).toHaveLength(12)
  expect(stderr).toMatch(/the shop is away: answered 503[\s\S]*the shop is back, after/)
  const runs = JSON.parse((await storectl(['run', 'list', '--kind', 'replay', '-o', 'json'], before)).stdout)
  expect(runs).toMatchObject([{kind: 'replay', state: 'completed', counts: {applied: 12}}])
})
