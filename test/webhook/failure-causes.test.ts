import {expect, test} from 'vitest'
import {findProvider} from '../../src/providers/providers.js'
import {openRecords} from '../../src/records/index.js'
import {currentTime} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {Screen} from '../support/screen.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, file, ndjson, openPayments, testShop} from './support.js'

const REFUSED = findProvider('paypal').answers.wrongToken as string

/** Six events whose deliveries failed: the shop refused the token of three, and was away for one. */
async function failedInbox() {
  const {states, events} = openPayments(5)
  const shop = await testShop(states)
  const given = {home: temporaryFolder(), env: {...shop.env, TZ: 'UTC'}}
  const run = (words: string, more: object = {}) => storectl(words.split(' '), {...given, ...more})
  await run(`webhook import ${file(ndjson([...events, event(9)]))}`)
  const {inbox, close} = await openRecords(`${given.home}/records.db`, currentTime)
  const found = await inbox.find(shop.url, [0, 1, 2, 3].map(eventId))
  await inbox.noteObserved(
    shop.url,
    [...found.values()].map(({id, sha256}, at) => ({
      ...{id, sha256, status: 'failed' as const, at: currentTime(), sender: 'token' as const},
      ...(at < 3 ? {answer: 400, message: REFUSED} : {answer: 503, message: null}),
    })),
  )
  const times = [...found.values()].map(({createdAt}) => createdAt.toISOString()).sort()
  await close()
  return {shop, given, run, times}
}

const CAUSES = [
  {cause: 'token-mismatch', count: 3, amounts: [{value: '30.00', currency: 'EUR'}]},
  {cause: 'not-sent', count: 1, amounts: [{value: '10.00', currency: 'EUR'}]},
  {cause: 'shop-unavailable', count: 1, amounts: [{value: '10.00', currency: 'EUR'}]},
  {cause: 'unknown-transaction', count: 1, amounts: [{value: '10.00', currency: 'EUR'}]},
]

test('a report says why the events had failed, as it was known before they were sent, and names the URL of the shop', async () => {
  const {shop, run, times} = await failedInbox()
  expect((await run('webhook replay --yes --rate none')).exit).toBe(3)
  expect(shop.received).toHaveLength(5)
  // What the inbox knows by now is something else.
  expect((await run('webhook prune --older-than 1s --yes')).exit).toBe(0)
  const {stdout: markdown} = await run('run export last')
  const [, table = ''] = markdown.split('## Why the events had failed\n\n')
  const minute = (iso = '') => `${iso.slice(0, 16).replace('T', ' ')} UTC`
  expect(table.split('\n').slice(0, 3)).toEqual([
    '| Cause | Events | Amount | First | Last |',
    '| --- | --- | --- | --- | --- |',
    `| token-mismatch | 3 | 30.00 EUR | ${minute(times[0])} | ${minute(times[2])} |`,
  ])
  expect(markdown).toContain(`| Shop | ${shop.url} (profile url) |`)
  const {run: row} = JSON.parse((await run('run export last --format json')).stdout)
  expect(row.causes).toMatchObject(CAUSES)
  expect(row.causes[0]).toMatchObject({firstAt: times[0], lastAt: times[2]})
  expect(JSON.stringify(row.options)).not.toContain('token-mismatch')
  const {stdout: page} = await run('run export last --format html')
  expect(page).toContain('<h2>Why the events had failed</h2>')
  expect(page).toContain('<td data-label="Cause">shop-unavailable</td><td data-label="Events">1</td>')
  expect(page).toContain(`<dt>Shop</dt><dd>${shop.url}`)
  expect((await run('run verify last')).exit).toBe(0)
})

test.each([
  [80, 24],
  [200, 50],
])('run show says why the events had failed, at %i × %i', async (columns, rows) => {
  const {run} = await failedInbox()
  await run('webhook replay --yes --rate none')
  for (const env of [{NO_COLOR: '1'}, {TERM: 'xterm'}]) {
    const {stdout} = await run('run show last --no-pager', {terminal: true, columns, rows, env})
    const screen = new Screen(columns, 50)
    screen.write(stdout.replaceAll('\n', '\r\n'))
    const text = screen.lines.join('\n')
    expect(text).toMatch(/Failed before +token-mismatch: 3, 30\.00 EUR, \S+ \S+ UTC\n +not-sent: 1/)
  }
  expect(JSON.parse((await run('run show last -o json')).stdout).causes).toMatchObject(CAUSES)
})

test('a stored diagnosis goes before what the answers say', async () => {
  const {shop, given, run} = await failedInbox()
  const {inbox, close} = await openRecords(`${given.home}/records.db`, currentTime)
  const away = (await inbox.find(shop.url, [eventId(3)])).get(eventId(3))
  await inbox.noteCauses(shop.url, [
    {id: eventId(3), changedAt: away?.changedAt as Date, cause: 'maybe-applied'},
  ])
  await close()
  await run('webhook replay --yes --rate none')
  const {causes} = JSON.parse((await run('run show last -o json')).stdout)
  expect(causes.map(({cause}: {cause: string}) => cause).sort()).toEqual([
    'maybe-applied',
    'not-sent',
    'token-mismatch',
    'unknown-transaction',
  ])
})

test('a run that sends nothing records why what it holds had failed', async () => {
  const {run} = await failedInbox()
  await run(`webhook replay ${eventId(9)} --yes`)
  const {causes, sends} = JSON.parse((await run('run show last -o json')).stdout)
  expect([causes.length, causes[0].cause, sends]).toEqual([1, 'unknown-transaction', undefined])
})

test('what was resolved had not failed, though it is sent again', async () => {
  const {run} = await failedInbox()
  await run(`webhook resolve ${eventId(3)} --reason again`)
  await run('webhook replay --yes --rate none --include-resolved')
  const {causes, counts} = JSON.parse((await run('run show last -o json')).stdout)
  expect(counts).toEqual({held: 1, applied: 5})
  expect(causes).toMatchObject(CAUSES.filter(({cause}) => cause !== 'shop-unavailable'))
})
