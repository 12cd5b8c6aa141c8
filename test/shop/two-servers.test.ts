import {sql} from 'kysely'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {BASE_IDS} from '../../src/shop/runtime/base-data.js'
import {ENGINES} from '../support/engines.js'
import {captureCompleted} from '../support/events.js'
import {addTransaction, runShop, stateOf, type TestShop} from '../support/shop.js'
import {idOf} from './people.js'
import {customer, order} from './written.js'

const TIMES = 12
const SUBMIT = '/api/fulfillment/order'
const submitted = (reference: string) => ({
  reference,
  lines: [{sku: 'TEA-1', quantity: 2}],
  shipTo: {name: 'Zoë Straße', street: 'Am Hang 1/2', city: 'Łódź', postalCode: '01067', country: 'PL'},
})

let one: TestShop
let other: TestShop
beforeAll(async () => {
  const engine = ENGINES.find(({name}) => name === 'PostgreSQL')
  one = await runShop(engine ? {engine} : {})
  other = await runShop({beside: one})
})
afterAll(async () => {
  await other.remove()
  await one.remove()
})

const takeAway = async (shop: TestShop, path: string) => {
  const {clientId, clientSecret} = shop.credentials
  const grant = {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret}
  const answer = await shop.post('/api/oauth/token', grant, {'content-type': 'application/json'})
  const {access_token} = (await answer.json()) as {access_token: string}
  return fetch(`${shop.url}${path}`, {method: 'DELETE', headers: {authorization: `Bearer ${access_token}`}})
}

const both = () => [one, other] as const

const count = async (table: string, where: ReturnType<typeof sql>) => {
  const {reads} = one.db
  const {rows} = await sql<{n: number}>`select count(*) as n from ${sql.table(table)} where ${where}`.execute(
    reads,
  )
  return rows[0]?.n
}

test('an order submitted at both servers at once is taken once', async () => {
  for (let turn = 0; turn < TIMES; turn++) {
    const key = {'idempotency-key': `key-${turn}`}
    const answers = await Promise.all(both().map(shop => shop.call(SUBMIT, submitted(`both-${turn}`), key)))
    expect(answers.map(({status}) => status)).toEqual([200, 200])
    expect(answers.filter(({headers}) => headers.has('idempotency-replayed'))).toHaveLength(1)
    const bodies = (await Promise.all(answers.map(answer => answer.json()))) as {id: string}[]
    expect(bodies[0]?.id).toBe(bodies[1]?.id)
    expect(await count('fulfillment_order', sql`reference = ${`both-${turn}`}`)).toBe(1)
  }
})

test('one idempotency key at both servers at once stands for one of two contents', async () => {
  for (let turn = 0; turn < TIMES; turn++) {
    const answers = await Promise.all(
      both().map((shop, at) =>
        shop.call(SUBMIT, submitted(`mine-${turn}-${at}`), {'idempotency-key': `same-${turn}`}),
      ),
    )
    expect(answers.map(({status}) => status).sort()).toEqual([200, 422])
  }
})

test('a notification delivered to both servers at once moves the payment once', async () => {
  for (let turn = 0; turn < TIMES; turn++) {
    const id = await addTransaction(one, {orderNumber: `W${turn}`})
    const paid = captureCompleted({transactionId: id})
    const answers = await Promise.all(both().map(shop => shop.deliver(paid)))
    expect(answers.map(({status}) => status)).toEqual([200, 200])
    expect(await stateOf(other, id)).toBe('paid')
    expect(await count('state_machine_history', sql`referenced_id = ${id}`)).toBe(1)
  }
})

test('a transition asked of both servers at once is made once', async () => {
  for (let turn = 0; turn < TIMES; turn++) {
    const id = await addTransaction(one, {orderNumber: `T${turn}`})
    await Promise.all(both().map(shop => shop.call(`/api/_action/order_transaction/${id}/state/paid`)))
    expect(await count('state_machine_history', sql`referenced_id = ${id}`)).toBe(1)
  }
})

test('a token of one server is good at the other', async () => {
  const {clientId, clientSecret} = one.credentials
  const grant = {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret}
  const answer = await one.post('/api/oauth/token', grant, {'content-type': 'application/json'})
  const {access_token} = (await answer.json()) as {access_token: string}
  const there = await fetch(`${other.url}/api/_info/version`, {
    headers: {authorization: `Bearer ${access_token}`},
  })
  expect(there.status).toBe(200)
})

test('a refresh token is used up once, at whichever server', async () => {
  const {username, password} = one.credentials
  const asJson = {'content-type': 'application/json'}
  const signIn = {grant_type: 'password', client_id: 'administration', username, password, scopes: 'write'}
  const {refresh_token} = (await (await one.post('/api/oauth/token', signIn, asJson)).json()) as {
    refresh_token: string
  }
  const renewal = {grant_type: 'refresh_token', client_id: 'administration', refresh_token}
  const answers = await Promise.all(both().map(shop => shop.post('/api/oauth/token', renewal, asJson)))
  expect(answers.map(({status}) => status).sort()).toEqual([200, 401])
})

test('a customer added at one server is found at the other', async () => {
  const added = await one.call('/api/customer', customer(1, {lastName: 'Lovelace'}))
  expect([added.status, await added.text()]).toEqual([204, ''])
  const found = await other.call('/api/search/customer', {filter: {lastName: 'lovelace'}})
  const {data} = (await found.json()) as {data: {id: string}[]}
  expect(data.map(({id}) => id)).toEqual([idOf(1)])
})

test('a customer knows of all orders, whichever server they came to', async () => {
  await one.call('/api/customer', customer(2))
  const of = (number: number) =>
    order(number, {
      orderCustomer: {
        customerId: idOf(2),
        email: 'a@example.test',
        firstName: 'A',
        lastName: 'B',
        customerNumber: 'C-2',
      },
    })
  for (let turn = 0; turn < TIMES; turn++) {
    const answers = await Promise.all(
      both().map((shop, at) => shop.call('/api/order', of(2 * turn + at + 1))),
    )
    expect(answers.map(({status}) => status)).toEqual([204, 204])
  }
  expect(await count('customer', sql`id = ${idOf(2)} and order_count = ${2 * TIMES}`)).toBe(1)
  for (let turn = 0; turn < TIMES; turn++) {
    const cancel = (shop: TestShop, at: number) =>
      shop.call(`/api/_action/order/${idOf(2 * turn + at + 1, 'cc11')}/state/cancel`)
    expect((await Promise.all(both().map(cancel))).map(({status}) => status)).toEqual([200, 200])
  }
  expect(await count('customer', sql`id = ${idOf(2)} and order_count = 0`)).toBe(1)
})

test('what is created at both servers at once is there once, and one of them is told', async () => {
  for (let turn = 0; turn < TIMES; turn++) {
    const answers = await Promise.all(
      both().map(shop => shop.call('/api/tag', {id: idOf(turn + 1, '7a9'), name: `tag ${turn}`})),
    )
    expect(answers.map(({status}) => status).sort()).toEqual([204, 400])
  }
})

test('what is taken away at one server while the other hangs something on it leaves nothing hanging', async () => {
  for (let turn = 0; turn < TIMES; turn++) {
    const group = {id: idOf(turn + 1, '64009'), name: `group ${turn}`}
    expect((await one.call('/api/customer-group', group)).status).toBe(204)
    const [added, removed] = await Promise.all([
      one.call('/api/customer', customer(1000 + turn, {groupId: group.id})),
      takeAway(other, `/api/customer-group/${group.id}`),
    ])
    expect([
      [204, 409],
      [500, 204],
    ]).toContainEqual([added.status, removed.status])
  }
})

test('customers are numbered so that nobody comes before one who was seen', async () => {
  const seen: number[] = []
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const {rows} = await sql<{n: number}>`
        select auto_increment as n from customer where auto_increment > ${seen.at(-1) ?? 0} order by 1`.execute(
        one.db.reads,
      )
      seen.push(...rows.map(({n}) => n))
    }
  }
  const watching = watch()
  await Promise.all(
    Array.from({length: 80}, (_, at) => both()[at % 2]?.call('/api/customer', customer(2000 + at))),
  )
  isOver = true
  await watching
  const {rows} = await sql<{n: number}>`select auto_increment as n from customer order by 1`.execute(
    one.db.reads,
  )
  expect(rows.map(({n}) => n).filter(n => n <= (seen.at(-1) ?? 0))).toEqual(seen)
})

test('a name that is taken is refused, and a text with U+0000 as a mistake of the caller', async () => {
  const user = {
    username: 'eve',
    password: 'secret secret',
    firstName: 'E',
    lastName: 'V',
    localeId: BASE_IDS.locale,
  }
  const verified = {authorization: `Bearer ${await one.signInVerified()}`}
  const make = ({call}: TestShop, email: string) => call('/api/user', {...user, email}, verified)
  expect((await make(one, 'eve@example.test')).status).toBe(204)
  expect((await make(other, 'eve2@example.test')).status).toBe(400)
  expect((await one.call('/api/tag', {name: 'a\u0000b'})).status).toBe(400)
  expect((await one.call('/api/search/tag', {filter: {name: 'a\u0000b'}})).status).toBe(400)
})
