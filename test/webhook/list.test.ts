import {expect, test} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import {currentTime} from '../support/clock.js'
import type {TestContext} from '../support/context.js'
import {testContext} from '../support/context.js'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'
import {until} from '../support/until.js'
import {event, eventId, ndjson} from './support.js'

const ENV = {STORECTL_URL: 'https://shop.example'}
const hour = (number: number, minute = 0) =>
  `2026-11-20T${String(number).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00.000Z`

async function inbox(events: object[], home = temporaryFolder()) {
  const run = (words: string[], stdin?: string) =>
    storectl(words, {home, env: ENV, ...(stdin === undefined ? {} : {stdin})})
  await run(['webhook', 'import', '-'], ndjson(events))
  const json = async (...words: string[]) =>
    JSON.parse((await run(['webhook', 'list', '-o', 'json', ...words])).stdout)
  const ids = async (...words: string[]) => (await json(...words)).map((each: {id: string}) => each.id)
  return {home, run, json, ids}
}

const numbered = (...numbers: number[]) => numbers.map(eventId)

const amounts = [1, 20, 300].map((value, at) => {
  const made = event(at + 1, {createdAt: hour(at)})
  return {
    ...made,
    resource: {...made.resource, amount: {currency_code: at ? 'EUR' : 'USD', value: `${value}.50`}},
  }
})

test.each([
  ['amount > 20', [3, 2]],
  ['amount >= 20.5 and currency = "eur"', [3, 2]],
  ['not currency = "EUR"', [1]],
  ['body.resource.amount.value > 100', [3]],
  ['body.resource.amount.value = "20.50"', [2]],
  ['body.resource.nothing = null', [3, 2, 1]],
  ['not body.resource.nothing > 3', [3, 2, 1]],
  ['body.resource.nothing > 3', []],
  ['createdAt >= 2026-11-20T01:00:00Z and createdAt < 2026-11-20T02:00:00Z', [2]],
  [`type ends ".completed" and id in ("WH-1", "${eventId(2).toLowerCase()}")`, [2]],
  ['transaction contains "000000003"', [3]],
  ['finalCapture = true', [3, 2, 1]],
  ['answer = null and attempts = 0 and conflict = false', [3, 2, 1]],
  ['answer != null', []],
  ['message != "x"', [3, 2, 1]],
  ['id starts "WH-%"', []],
])('--where %s', async (where, expected) => {
  const {ids} = await inbox(amounts)
  expect(await ids('--where', where)).toEqual(numbered(...expected))
})

test('a mistake in --where points at its column, and names the field that was meant', async () => {
  const {run} = await inbox([])
  const {exit, stderr} = await run(['webhook', 'list', '--where', 'statos = "failed"'])
  expect(exit).toBe(2)
  expect(stderr).toContain('--where, column 1: unknown field "statos" in an event. Did you mean "status"?')
})

test('--where asks for nothing that could be read as SQL', async () => {
  const {ids} = await inbox(amounts)
  expect(await ids('--where', `body.a.b = "' or 1=1 --"`)).toEqual([])
  expect(await ids('--where', `type = "x' or '1'='1"`)).toEqual([])
})

test('--sort takes a field with a direction, and what has no value comes last', async () => {
  const {home, run, ids} = await inbox([1, 2, 3, 4].map(at => event(at, {createdAt: hour(at)})))
  const records = await openRecords(`${home}/records.db`, currentTime)
  await records.inbox.noteObserved(ENV.STORECTL_URL, await sightings(records, [2, 3]))
  await records.close()
  expect(await ids('--sort', 'createdAt')).toEqual(numbered(1, 2, 3, 4))
  expect(await ids('--sort', 'createdAt:desc', '--limit', '2')).toEqual(numbered(4, 3))
  expect(await ids('--sort', 'answer:desc')).toEqual(numbered(3, 2, 1, 4))
  expect(await ids('--sort', 'answer', '--all')).toEqual(numbered(2, 3, 1, 4))
  const wrong = await run(['webhook', 'list', '--sort', 'attempt:up'])
  expect(wrong.exit).toBe(2)
})

type Records = Awaited<ReturnType<typeof openRecords>>

async function sightings({inbox}: Records, numbers: number[]) {
  const there = await inbox.find(ENV.STORECTL_URL, numbers.map(eventId))
  return numbers.map(at => ({
    id: eventId(at),
    sha256: there.get(eventId(at))?.sha256 ?? '',
    status: 'failed' as const,
    answer: 400 + at,
    message: `cause ${at % 2}`,
    at: currentTime(),
    sender: 'token' as const,
  }))
}

test('several statuses at once keep the order of time over more than a page', async () => {
  const {home, ids} = await inbox(
    Array.from({length: 1300}, (_, at) => event(at, {createdAt: hour(at % 24, at % 60)})),
  )
  const records = await openRecords(`${home}/records.db`, currentTime)
  const odd = Array.from({length: 650}, (_, at) => at * 2 + 1)
  await records.inbox.noteObserved(ENV.STORECTL_URL, await sightings(records, odd))
  await records.close()
  const every = await ids('--all')
  expect(every).toHaveLength(1300)
  expect(await ids('--all', '--status', 'failed', '--status', 'pending')).toEqual(every)
  expect(await ids('--status', 'pending', '--status', 'failed', '--status', 'failed')).toEqual(
    every.slice(0, 25),
  )
})

test('--group-by counts by type, message and hour', async () => {
  const {home, json} = await inbox([
    event(1, {createdAt: hour(1, 5)}),
    event(2, {createdAt: hour(1, 55)}),
    event(3, {createdAt: hour(3), type: 'PAYMENT.CAPTURE.DENIED'}),
  ])
  const records = await openRecords(`${home}/records.db`, currentTime)
  await records.inbox.noteObserved(ENV.STORECTL_URL, await sightings(records, [1]))
  await records.close()
  expect(await json('--group-by', 'type')).toEqual([
    {
      key: 'PAYMENT.CAPTURE.COMPLETED',
      count: 2,
      first: hour(1, 5),
      last: hour(1, 55),
      statuses: {failed: 1, pending: 1},
      amounts: [{value: '20.00', currency: 'EUR'}],
    },
    {
      key: 'PAYMENT.CAPTURE.DENIED',
      count: 1,
      first: hour(3),
      last: hour(3),
      statuses: {pending: 1},
      amounts: [{value: '10.00', currency: 'EUR'}],
    },
  ])
  const short = async (...words: string[]) =>
    (await json(...words)).map(({key, count}: {key: string; count: number}) => [key, count])
  expect(await short('--group-by', 'hour')).toEqual([
    [hour(3), 1],
    [hour(1), 2],
  ])
  expect(await short('--group-by', 'message', '--status', 'failed')).toEqual([['cause 1', 1]])
  expect(await short('--group-by', 'message')).toEqual([
    [null, 2],
    ['cause 1', 1],
  ])
})

const prints = (test: TestContext, part: string) =>
  until(`it prints ${part}`, () => test.out().includes(part))

test('--follow shows the newest, oldest first, then what comes and what changes, whatever times it carries', async () => {
  const {home, run} = await inbox([1, 2, 3].map(at => event(at, {createdAt: hour(at)})))
  const following = testContext({home, env: ENV})
  const ended = storectl(
    ['webhook', 'list', '--follow', '--limit', '2', '-o', 'tsv', '--fields', 'id,status'],
    following,
  )
  await prints(following, eventId(3))
  await run(['webhook', 'import', '-'], ndjson([event(4, {createdAt: '2020-01-01T00:00:00.000Z'})]))
  await prints(following, eventId(4))
  await run(['webhook', 'resolve', eventId(1), '--reason', 'x'])
  await prints(following, eventId(1))
  following.interruption.stop('SIGINT')
  const {exit, stdout} = await ended
  expect(exit).toBe(130)
  expect(stdout.trim().split('\n')).toEqual([
    'id\tstatus',
    `${eventId(2)}\tpending`,
    `${eventId(3)}\tpending`,
    `${eventId(4)}\tpending`,
    `${eventId(1)}\tresolved`,
  ])
})

test('--follow in a table shows a row when it comes, and filters what changes', async () => {
  const {home, run} = await inbox([event(1, {createdAt: hour(1)})])
  const following = testContext({home, env: ENV, terminal: true, columns: 200})
  const ended = storectl(['webhook', 'list', '-f', '--status', 'resolved', '-o', 'table'], following)
  await run(['webhook', 'resolve', eventId(1), '--reason', 'x'])
  await prints(following, eventId(1))
  following.interruption.stop('SIGTERM')
  expect((await ended).exit).toBe(143)
})

test('the flag for cron says by its exit that there is one', async () => {
  const {run} = await inbox([event(1)])
  expect((await run(['webhook', 'list', '--fail-if-any'])).exit).toBe(3)
  expect((await run(['webhook', 'list', '--group-by', 'type', '--fail-if-any'])).exit).toBe(3)
  expect((await run(['webhook', 'list', '--status', 'failed', '--fail-if-any'])).exit).toBe(0)
})
