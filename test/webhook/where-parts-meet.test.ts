import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import {currentTime, timeAgo} from '../support/clock.js'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {addTransaction, operatorOf, stateOf, testShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {ndjson} from './support.js'

/** A shop and its provider, an operator of both, and an event that the shop refused once. */
async function prepare() {
  const shop = await testShop()
  const {webhookToken} = shop.credentials
  const env = operatorOf(shop)
  const home = temporaryFolder()
  const run = async (...words: string[]) => {
    const ended = await storectl(['webhook', ...words, '-o', 'ndjson'], {home, env, stdin: calls})
    return {...ended, rows: readJsonLines(ended.stdout)}
  }
  const transactionId = await addTransaction(shop)
  const event = captureCompleted({transactionId, createTime: timeAgo(2 * 86_400_000)})
  const calls = ndjson([{body: event.body}], webhookToken)
  await shop.deliver(event, await shop.earlierToken())
  return {shop, home, run, transactionId, event}
}

const FAST = ['--yes', '--rate', '0', '--max-age', 'none']
const FROM_PROVIDER = ['import', '--from-provider', '--since', timeAgo(30 * 86_400_000)]

test('an event that was delivered and pruned is not sent again, though the list of the provider brings it back', async () => {
  const {shop, run, transactionId, event} = await prepare()
  await run(...FROM_PROVIDER)
  expect((await run('replay', ...FAST)).rows).toMatchObject([{id: event.id, result: 'applied'}])
  expect((await run('prune', '--older-than', '1d', '--yes')).rows).toMatchObject([{pruned: 1}])
  await run(...FROM_PROVIDER)
  expect((await run('list')).rows).toMatchObject([{id: event.id}])
  // Were it sent, the shop would take it: its payment is open again.
  await shop.call(`/api/_action/order_transaction/${transactionId}/state/reopen`)
  expect(await stateOf(shop, transactionId)).toBe('open')
  expect((await run('replay', ...FAST)).rows.filter(({attempts}) => attempts > 0)).toEqual([])
  expect(await stateOf(shop, transactionId)).toBe('open')
})

test('the provider is not asked to deliver an event that is known to be forged', async () => {
  const {shop, home, run, transactionId, event} = await prepare()
  await run('import', '-')
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const [sha256 = '', content] = [
    (await records.inbox.find(shop.url, [event.id])).get(event.id)?.sha256,
    (await records.inbox.readContents(shop.url, [event.id])).get(event.id),
  ]
  const forged = {result: 'forged', reason: 'not-signed', transmissionId: 'T-1'} as const
  const body = Buffer.from(event.body)
  await records.signatures.store(shop.url, [
    {id: event.id, sha256, headers: content?.headers ?? [], body, ...forged},
  ])
  await records.close()
  const {rows} = await run('replay', '--via', 'provider', ...FAST)
  expect(rows).toMatchObject([{result: 'held', detail: expect.stringContaining('forged'), attempts: 0}])
  expect(await stateOf(shop, transactionId)).toBe('open')
})
