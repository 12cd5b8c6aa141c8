import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import {currentTime} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {addTransaction, stateOf, testShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {event, eventId} from './support.js'

async function bundledShop() {
  const home = temporaryFolder()
  const shop = await testShop({dataFolder: join(home, 'shop')})
  const rows = async (...words: string[]) => {
    const {stdout, stderr, exit} = await storectl([...words, '-o', 'ndjson'], {home})
    return {
      exit,
      stderr,
      rows: readJsonLines(stdout),
    }
  }
  const bodies = new Map<number, string>()
  const deliver = (index: number, transaction: string, token?: string, type?: string) => {
    const {resource, ...rest} = event(index, type === undefined ? {} : {type})
    const body =
      bodies.get(index) ?? JSON.stringify({...rest, resource: {...resource, custom_id: transaction}})
    bodies.set(index, body)
    return shop.deliver(body, token)
  }
  return {home, shop, rows, deliver}
}

test('what the bundled shop received is in the inbox with its answer, and is replayed from there', async () => {
  const {shop, rows, deliver} = await bundledShop()
  const [paid, open, refunded] = [
    await addTransaction(shop),
    await addTransaction(shop, {amount: 10}),
    await addTransaction(shop, {state: 'refunded'}),
  ]
  const earlier = await shop.earlierToken()
  await deliver(1, paid)
  await deliver(2, open, earlier)
  await deliver(2, open, 'y'.repeat(32))
  await deliver(3, refunded)
  await deliver(4, 'f'.repeat(32))

  const listed = await rows('webhook', 'list')
  const seen = Object.fromEntries(listed.rows.map(row => [row.id, [row.status, row.answer, row.attempts]]))
  expect(seen).toEqual({
    [eventId(1)]: ['delivered', 200, 1],
    [eventId(2)]: ['failed', 400, 1],
    [eventId(3)]: ['failed', 400, 1],
    [eventId(4)]: ['failed', 400, 1],
  })

  const replayed = await rows('webhook', 'replay', '--yes', '--profile', 'local', '--rate', 'none')
  const became = Object.fromEntries(replayed.rows.map(row => [row.id, [row.result, row.before, row.after]]))
  expect(became).toEqual({
    [eventId(2)]: ['applied', 'open', 'paid'],
    [eventId(3)]: ['held', 'refunded', null],
    [eventId(4)]: ['held', null, null],
  })
  expect(replayed.exit).toBe(3)
  expect(await stateOf(shop, open)).toBe('paid')

  const again = await rows('webhook', 'list', '--status', 'delivered')
  expect(again.rows.map(row => [row.id, row.attempts]).sort()).toEqual([
    [eventId(1), 1],
    [eventId(2), 2],
  ])
})

test('an event that is older than one that was delivered since is held', async () => {
  const {shop, rows, deliver} = await bundledShop()
  const transaction = await addTransaction(shop)
  await deliver(1, transaction, await shop.earlierToken())
  await deliver(2, transaction, undefined, 'PAYMENT.CAPTURE.DENIED')
  expect(await stateOf(shop, transaction)).toBe('cancelled')
  const {rows: planned} = await rows('webhook', 'replay', '--dry-run')
  expect(planned).toMatchObject([
    {id: eventId(1), action: 'hold', reason: 'out-of-order', state: 'cancelled'},
  ])
  expect(planned[0].detail).toContain(`${eventId(2)}, a newer event, was delivered already`)
})

test('what arrived is counted once, however many look at the same time', async () => {
  const {home, shop, rows, deliver} = await bundledShop()
  const transaction = await addTransaction(shop)
  for (let attempt = 0; attempt < 3; attempt++) await deliver(1, transaction, 'x'.repeat(32))
  await Promise.all(Array.from({length: 4}, () => storectl(['webhook', 'list'], {home})))
  expect((await rows('webhook', 'list')).rows).toMatchObject([{id: eventId(1), attempts: 3}])
})

test('what is written down later is found, even where its id is smaller', async () => {
  const {shop, rows, deliver} = await bundledShop()
  await deliver(1, await addTransaction(shop))
  expect((await rows('webhook', 'list')).rows).toHaveLength(1)
  shop.clock.advance(-60_000)
  await deliver(2, await addTransaction(shop))
  expect((await rows('webhook', 'list')).rows.map(({id}) => id).sort()).toEqual([eventId(1), eventId(2)])
})

test('a shop is read from its first delivery where what an earlier program noted is of another shop, and each delivery once', async () => {
  const {home, shop, rows, deliver} = await bundledShop()
  await deliver(1, await addTransaction(shop))
  const records = async () => openRecords(join(home, 'records.db'), currentTime)
  const noted = async (to: string) => {
    const {inbox, close} = await records()
    expect(await inbox.addObserved('local', {source: 'shop', from: undefined, to}, [])).toBe(true)
    await close()
  }
  // An id that is greater than any: of a shop that shared these records.
  await noted('f'.repeat(32))
  expect((await rows('webhook', 'list')).rows).toMatchObject([{id: eventId(1), attempts: 1}])
  await deliver(2, await addTransaction(shop))
  const ids = (await rows('webhook', 'list')).rows.map(({id, attempts}) => [id, attempts])
  expect(ids.sort()).toEqual([
    [eventId(1), 1],
    [eventId(2), 1],
  ])
})
