import {expect, test} from 'vitest'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {addTransaction, testShop as bundledShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, file, GENERIC, ndjson, refusal, replay, testShop, transactionId} from './support.js'

test('shows the present state of the transaction, or why it is not known', async () => {
  const shop = await testShop({[transactionId(1)]: 'paid'})
  const home = temporaryFolder()
  const run = async (words: string[], env: Record<string, string> = shop.env) =>
    JSON.parse((await storectl([...words, '-o', 'json'], {home, env})).stdout)
  await run(['webhook', 'import', file(ndjson([event(1), event(2)]))])
  expect(await run(['webhook', 'show', eventId(1)])).toMatchObject({state: 'paid', stateWhy: null})
  expect(await run(['webhook', 'show', eventId(2)])).toMatchObject({
    state: null,
    stateWhy: 'the shop does not know this transaction',
  })
  const {stateWhy} = await run(['webhook', 'show', eventId(1)], {STORECTL_URL: shop.url})
  expect(stateWhy).toContain('Not signed in')
  expect(await run(['webhook', 'show', eventId(1), '--no-check-state'])).toMatchObject({state: null})
})

test('an event, its attempts and its group have the columns that scripts read', async () => {
  const home = temporaryFolder()
  const env = {STORECTL_URL: 'https://shop.example'}
  await storectl(['webhook', 'import', file(ndjson([event(1)]))], {home, env})
  const columns = async (...words: string[]) =>
    (await storectl(['webhook', ...words, '-o', 'csv'], {home, env})).stdout.split('\r\n')[0]
  expect(await columns('show', eventId(1), '--no-check-state')).toBe(
    'id,type,status,answer,message,attempts,createdAt,receivedAt,changedAt,orderNumber,amount.value,amount.currency,cause,resolvedReason,resolvedBy,resolvedAt,resolvedRun,transaction,state,stateWhy,sender,verification,verificationReason,source,sizeBytes,sha256,body',
  )
  expect(await columns('show', eventId(1), '--attempts')).toBe(
    'at,by,run,attempt,result,status,detail,sender',
  )
  expect(await columns('list')).toBe(
    'id,status,type,answer,message,createdAt,attempts,cause,orderNumber,amount.value,amount.currency,resolvedReason,resolvedBy,resolvedAt',
  )
  expect(await columns('list', '--group-by', 'type')).toBe('key,count,statuses,first,last')
  expect(await columns('diagnose', '--no-check-state')).toBe(
    'cause,count,amounts.value,amounts.currency,firstAt,lastAt,differ,example.id,detail,next',
  )
  expect(await columns('diagnose', '--no-check-state', eventId(1))).toMatch(
    /^id,type,status,orderNumber,amount.value,amount.currency,cause,detail,remedy,evidence,next,drift.kind,drift.detail,drift.comparedAt/,
  )
  expect(await columns('diagnose', '--no-check-state', '--no-summary')).toBe(
    'cause,id,type,detail,next,orderNumber,amount.value,amount.currency',
  )
})

test('--raw lets no escape sequence of a body reach a terminal', async () => {
  const home = temporaryFolder()
  const env = {STORECTL_URL: 'https://shop.example'}
  const body = `{"id":"${eventId(1)}",\n"event_type":"X.Y","summary":"red\u009b2J"}`
  await storectl(['webhook', 'import', file(body)], {home, env})
  const show = ['webhook', 'show', eventId(1), '--raw']
  const {stdout} = await storectl(show, {home, env, terminal: true})
  expect(stdout).toBe(body.replace('\u009b', '\\u009b'))
  expect((await storectl(show, {home, env})).stdout).toBe(body)
})

test('--raw prints the body byte for byte, whatever is in it', async () => {
  const home = temporaryFolder()
  const body = `{"id":"${eventId(1)}", "event_type":"X.Y",  "summary":"Zoë \\u00e9 ✓", "resource":{"total":1.10}}`
  const run = (words: string[], stdin = '') =>
    storectl(words, {home, stdin, env: {STORECTL_URL: 'https://shop.example'}})
  await run(['webhook', 'import', '-'], JSON.stringify({headers: {'Paypal-Auth-Algo': '1'}, body}))
  expect((await run(['webhook', 'show', eventId(1), '--raw'])).stdout).toBe(body)
  const shown = await run(['webhook', 'show', eventId(1), '--headers', '--no-check-state', '-o', 'json'])
  expect(JSON.parse(shown.stdout).headers).toEqual({
    'Paypal-Auth-Algo': '1',
    'Content-Type': 'application/json',
  })
})

test('--attempts tells what runs did, what was seen from outside, and what was said by hand, in time', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const home = temporaryFolder()
  const run = (words: string[]) => storectl(words, {home, env: shop.env})
  shop.intercept = () => refusal(GENERIC)
  const first = await replay(shop, [file(ndjson([event(1)])), '--retries', '0'], {home})
  await run(['webhook', 'resolve', eventId(1), '--reason', 'looked into it'])
  await run(['webhook', 'resolve', '--undo', 'last'])
  shop.intercept = () => undefined
  await replay(shop, [], {home})
  const {stdout, stderr} = await run(['webhook', 'show', eventId(1), '--attempts', '-o', 'json'])
  expect(stderr).toBe('')
  const rows = JSON.parse(stdout)
  expect(rows.map(({by, result, status}: Record<string, unknown>) => [by, result, status])).toEqual([
    ['run', first.rows[0].result, 400],
    ['person', 'resolved', null],
    ['person', 'reopened', null],
    ['run', 'applied', 200],
  ])
  expect(rows[0].run).toBe(first.rows[0].run)
  expect(rows[1].detail).toContain('looked into it')
})

test('deliveries that the bundled shop saw are attempts, each with its answer', async () => {
  const home = temporaryFolder()
  const shop = await bundledShop({dataFolder: `${home}/shop`})
  const made = captureCompleted({transactionId: await addTransaction(shop)})
  await shop.deliver(made, await shop.earlierToken())
  shop.clock.advance(1000)
  await shop.deliver(made)
  await shop.stop()
  const {stdout} = await storectl(['webhook', 'show', made.id, '--attempts', '-o', 'json'], {home})
  const rows = JSON.parse(stdout)
  expect(rows.map(({by, result, status}: Record<string, unknown>) => [by, result, status])).toEqual([
    ['delivery', 'failed', 400],
    ['delivery', 'delivered', 200],
  ])
})

test('the beginning of an id is enough where no other event shares it', async () => {
  const home = temporaryFolder()
  const env = {STORECTL_URL: 'http://127.0.0.1:9'}
  const run = (...words: string[]) => storectl(['webhook', ...words], {home, env})
  await run('import', file(ndjson([event(1), event(2)])))
  const [one, two] = [eventId(1), eventId(2)]
  let shared = 0
  while (one[shared] === two[shared]) shared++
  const show = (length: number) => run('show', one.slice(0, length), '--no-check-state', '-o', 'id')
  expect((await show(shared + 1)).stdout).toBe(`${one}\n`)
  const both = await show(shared)
  expect([both.exit, both.stdout]).toEqual([2, ''])
  for (const id of [one, two]) expect(both.stderr).toContain(id)
  expect((await run('show', `${one.slice(0, -1)}%`, '--no-check-state')).stderr).toContain('No event')
})

test('a list on a terminal says below it how many there are, and where', async () => {
  const home = temporaryFolder()
  const options = {home, env: {STORECTL_URL: 'http://127.0.0.1:9'}, terminal: true, columns: 80}
  await storectl(['webhook', 'import', file(ndjson([event(1), event(2), event(3)]))], options)
  const some = await storectl(['webhook', 'list', '--limit', '2'], options)
  expect(some.stderr).toMatch(/^2 of 3 events \(.+\); --all for all\n$/)
  const all = await storectl(['webhook', 'list'], options)
  expect(all.stderr).toMatch(/^3 events \(.+\)\n$/)
})
