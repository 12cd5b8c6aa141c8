import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {TRIGGER_TYPES} from '../../../src/server/trigger.js'
import {type TestContext, testContext} from '../../support/context.js'
import {endpoint} from '../../support/endpoint.js'
import {putShop} from '../../support/prepared-shop.js'
import {storectl} from '../../support/storectl.js'
import {until} from '../../support/until.js'

// One seeded shop for the file, whose server runs; each test takes payments that no call was about.

interface Row {
  readonly id: string
  readonly type: string
  readonly call: string
  readonly transaction: string
  readonly answer: number | null
  readonly message: string
}

const home = mkdtempSync(join(tmpdir(), 'storectl-'))
const run = (...words: string[]) => storectl(words, {home})
let server: TestContext & {readonly ended: Promise<unknown>; readonly url: string}

beforeAll(async () => {
  await putShop(home)
  await run('server', 'seed', '--customers', '60', '--orders', '180')
  const made = testContext({home})
  const ended = storectl(['server', 'start', '-o', 'json'], made)
  await until('the server listens', () => made.out().includes('\n'))
  server = {...made, ended, url: JSON.parse(made.out()).url}
})
afterAll(async () => {
  server.interruption.stop('SIGINT')
  await server.ended
  rmSync(home, {recursive: true, force: true})
})

async function trigger(...words: string[]) {
  const {exit, stdout, stderr} = await run('server', 'trigger', ...words, '-o', 'json')
  return {exit, stderr, rows: JSON.parse(stdout || '[]') as Row[]}
}

async function findState(transaction: string): Promise<string> {
  const {stdout} = await run(
    'api',
    'GET',
    `/api/order-transaction/${transaction}?associations[stateMachineState][]`,
  )
  return JSON.parse(stdout).data.stateMachineState.technicalName
}

async function listCauses(ids: readonly string[]): Promise<string[]> {
  const {stdout} = await run('webhook', 'diagnose', ...ids, '--fields', 'cause', '-o', 'csv', '--no-header')
  return stdout.trim().split(/\r?\n/)
}

const countDeliveries = async () =>
  Number((await run('server', 'status', '--fields', 'counts.webhookDeliveries', '--no-header')).stdout)

test('a call of each type is accepted, and changes the payment that it is about', async () => {
  const {exit, rows} = await trigger(...TRIGGER_TYPES)
  expect([exit, rows.map(({type}) => type)]).toEqual([0, [...TRIGGER_TYPES]])
  expect(rows.map(({answer, call}) => [answer, call])).toEqual(rows.map(() => [200, 'valid']))
  const states = await Promise.all(rows.map(({transaction}) => findState(transaction)))
  expect(states).toEqual([
    ...['paid', 'cancelled', 'refunded', 'refunded', 'cancelled', 'paid', 'cancelled', 'refunded'],
    ...['paid', 'paid'],
  ])
  expect((await run('webhook', 'verify', ...rows.map(({id}) => id))).exit).toBe(0)
})

test('each kind of call fails for a cause of its own, and a replay sends the honest ones alone', async () => {
  const words = ['--old-token', '2', '--wrong-token', '2', '--unknown-transaction', '2', '--unsigned', '2']
  const {exit, rows} = await trigger(...words)
  expect(exit).toBe(0)
  expect(rows.map(({call, answer}) => `${call} ${answer}`)).toEqual(
    ['old-token', 'wrong-token', 'unknown-transaction', 'unsigned'].flatMap(call =>
      Array(2).fill(`${call} 400`),
    ),
  )
  const ids = rows.map(({id}) => id)
  await run('webhook', 'verify', ...ids)
  expect(await listCauses(ids)).toEqual([
    ...['token-mismatch', 'token-mismatch', 'forged', 'forged'],
    ...['unknown-transaction', 'unknown-transaction', 'wrong-token', 'wrong-token'],
  ])
  const replay = ['webhook', 'replay', ...ids, '--profile', 'local', '--yes', '--rate', 'none', '-o', 'json']
  const results = JSON.parse((await run(...replay)).stdout) as {id: string; result: string}[]
  expect(results.filter(({result}) => result === 'applied').map(({id}) => id)).toEqual(ids.slice(0, 2))
})

test('no two calls are about the same payment, also of a later command', async () => {
  const first = await trigger('PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.DENIED', '--old-token', '9')
  const later = await trigger('--old-token', '9')
  const all = [...first.rows, ...later.rows]
  expect(first.rows.map(({type}) => type.slice(16))).toEqual(
    'CDCDCDCDC'.split('').map(each => (each === 'C' ? 'COMPLETED' : 'DENIED')),
  )
  expect(new Set(all.map(({transaction}) => transaction)).size).toBe(18)
  expect(new Set(all.map(({id}) => id)).size).toBe(18)
})

test('without a format, answers are counted', async () => {
  const {stdout, stderr} = await run('server', 'trigger', '--count', '1', '--unknown-transaction', '3')
  expect(stdout).toBe(
    'call\tanswer\tmessage\tcount\nvalid\t200\t\t1\nunknown-transaction\t400\tAn error occurred during execution of webhook\t3\n',
  )
  expect(stderr).toBe('Next: storectl webhook diagnose\n')
})

test('with too few payments no call is made', async () => {
  const before = await countDeliveries()
  const {exit, stderr} = await run('server', 'trigger', 'PAYMENT.CAPTURE.REFUNDED', '--count', '1000')
  expect([exit, await countDeliveries()]).toEqual([2, before])
  expect(stderr).toMatch(
    /enough for \d+ of 1000 calls\. Each PAYMENT\.CAPTURE\.REFUNDED needs a different one in state paid\. No call was made\./,
  )
  expect(stderr).toContain('next: storectl server seed')
})

test('events of v1 are about payments of v1 alone', async () => {
  const data = join(home, 'newer')
  await run('server', 'seed', '--customers', '20', '--orders', '0', '--payments', '40', '--data', data)
  const made = testContext({home})
  const ended = storectl(['server', 'start', '-o', 'json', '--data', data], made)
  await until('the server listens', () => made.out().includes('\n'))
  expect((await trigger('PAYMENT.CAPTURE.REFUNDED', '--data', data)).exit).toBe(0)
  expect((await trigger('PAYMENT.SALE.REFUNDED', '--data', data)).exit).toBe(2)
  made.interruption.stop('SIGINT')
  await ended
})

test.each([
  [['--count', '0'], '--count'],
  [['--unsigned', '10001'], '--unsigned'],
  [['--to', 'http://shop.example'], 'is not an http or https URL on this machine.'],
  [['--to', 'file:///etc/passwd'], 'is not an http or https URL on this machine.'],
  [['PAYMENT.CAPTURE'], 'PAYMENT.CAPTURE'],
])('%j is refused', async (words, message) => {
  const before = await countDeliveries()
  const {exit, stderr} = await run('server', 'trigger', ...words)
  expect([exit, await countDeliveries()]).toEqual([2, before])
  expect(stderr).toContain(message)
})

test('--to sends the calls to another receiver on this machine', async () => {
  const receiver = await endpoint(() => ({status: 202}))
  const before = await countDeliveries()
  const words = ['--count', '1', '--old-token', '1', '--wrong-token', '1', '--unsigned', '1']
  const {rows} = await trigger(...words, '--to', receiver.url)
  expect([rows.map(({answer}) => answer), await countDeliveries()]).toEqual([[202, 202, 202, 202], before])
  const {received} = receiver
  expect(received.map(({body}) => JSON.parse(body).id).sort()).toEqual(rows.map(({id}) => id).sort())
  const inOrder = rows.map(({id}) => received.find(({body}) => body.includes(id)))
  const tokens = inOrder.map(each => new URL(each?.url ?? '', receiver.url).searchParams.get('sw-token'))
  const {stdout} = await run('server', 'credentials', '-o', 'json')
  expect(tokens[0]).toBe(JSON.parse(stdout).webhookToken)
  expect(new Set(tokens).size).toBe(3)
  expect(received[0]?.url).toMatch(/^\/api\/_action\/paypal\/webhook\/execute\?/)
  expect(inOrder.map(each => each?.headers['paypal-transmission-sig'] !== undefined)).toEqual([
    ...[true, true, true, false],
  ])
  await trigger('--to', `${receiver.url}/hook`)
  expect(received.at(-1)?.url).toMatch(/^\/hook\?sw-token=/)
})

test('calls that nobody answers end with 6, and with 3 where others are answered', async () => {
  const receiver = await endpoint((_, count) => (count === 1 ? {reset: true} : {status: 200}))
  const some = await trigger('--count', '3', '--to', receiver.url)
  expect([some.exit, some.rows.map(({answer}) => answer).sort()]).toEqual([3, [200, 200, null]])
  await receiver.close()
  const none = await run('server', 'trigger', '--count', '3', '--to', receiver.url)
  expect([none.exit, none.stderr]).toEqual([
    6,
    expect.stringMatching(/^error: No call was answered: .*ECONN/),
  ])
})

test('nobody but an administrator of the shop has calls made', async () => {
  const before = await countDeliveries()
  const answer = await fetch(`${server.url}/_storectl/trigger`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({types: ['PAYMENT.CAPTURE.COMPLETED'], counts: {count: 1}}),
  })
  expect([answer.status, await countDeliveries()]).toEqual([401, before])
})

test('without a server there is nobody to make calls: exit 6', async () => {
  const {exit, stderr} = await run('server', 'trigger', '--data', join(home, 'other'))
  expect([exit, stderr]).toEqual([6, expect.stringContaining('next: storectl server start')])
})

test('a call that needs nothing else is a capture of one payment', async () => {
  const {rows} = await trigger()
  expect(rows).toMatchObject([{type: 'PAYMENT.CAPTURE.COMPLETED', call: 'valid', answer: 200, message: ''}])
})
