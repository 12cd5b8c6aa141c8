import {join} from 'node:path'
import {expect, test} from 'vitest'
import {PRIVILEGES} from '../../src/doctor/privileges.js'
import {temporaryFolder} from '../support/home.js'
import {addTransaction, operatorOf, stateOf, type TestShop, testShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, file, ndjson} from './support.js'

const REPLAYED = PRIVILEGES['webhook replay'] ?? []

/** Events of two payments of the bundled shop, in the inbox and not looked up; who asks may have a role of its own. */
async function open() {
  const home = temporaryFolder()
  const shop = await testShop({dataFolder: join(home, 'shop')})
  const payments: string[] = []
  for (const orderNumber of ['10001', '10002'])
    payments.push(await addTransaction(shop, {orderNumber, amount: 10}))
  const events = payments.map((id, at) => about(at + 1, id))
  const env = operatorOf(shop)
  const ask = (words: readonly string[], more: Record<string, string> = {}) =>
    storectl(['webhook', ...words], {home, env: {...env, ...more}})
  const json = async (...words: string[]) => JSON.parse((await ask([...words, '-o', 'json'])).stdout)
  await ask(['import', file(ndjson(events))])
  return {home, shop, payments, ask, json}
}

function about(index: number, transaction: string) {
  const {resource, ...made} = event(index)
  return {...made, resource: {...resource, custom_id: JSON.stringify({orderTransactionId: transaction})}}
}

/** Credentials of an integration whose role has these privileges alone. */
async function signInWith(shop: TestShop, privileges: readonly string[]): Promise<Record<string, string>> {
  const verified = {authorization: `Bearer ${await shop.signInVerified()}`}
  const [role, accessKey, secretAccessKey] = ['a'.repeat(32), `SWIA${'B'.repeat(22)}`, 'x'.repeat(51)]
  await shop.call('/api/acl-role', {id: role, name: 'role', privileges}, verified)
  await shop.call(
    '/api/integration',
    {label: 'x', accessKey, secretAccessKey, aclRoles: [{id: role}]},
    verified,
  )
  return {STORECTL_CLIENT_ID: accessKey, STORECTL_CLIENT_SECRET: secretAccessKey}
}

test('a diagnosis stores order number and cause, which list and show then have without a call', async () => {
  const {shop, ask, json} = await open()
  const money = {value: '10.00', currency: 'EUR'}
  const [unknown] = await json('list', '--limit', '1')
  expect(unknown).toMatchObject({orderNumber: null, cause: null, amount: money})
  const row = await json('diagnose', eventId(1))
  expect(row).toMatchObject({orderNumber: '10001', amount: money})
  await json('diagnose')
  await shop.stop()
  const rows = await json('list')
  expect(rows).toMatchObject([
    {id: eventId(2), orderNumber: '10002', cause: row.cause, amount: money},
    {id: eventId(1), orderNumber: '10001', cause: row.cause, amount: money},
  ])
  expect(await json('show', eventId(1), '--no-check-state')).toMatchObject({
    orderNumber: '10001',
    amount: money,
  })
  const found = await ask(['list', '--where', 'orderNumber = "10002"', '-o', 'id'])
  expect([found.stdout, found.stderr]).toEqual([`${eventId(2)}\n`, ''])
  expect(
    (await ask(['list', '--fields', 'id,orderNumber,amount.value', '-o', 'tsv', '--limit', '1'])).stdout,
  ).toBe(`id\torderNumber\tamount.value\n${eventId(2)}\t10002\t10.00\n`)
})

test('--where on order numbers says of how many events they are not known', async () => {
  const {ask, json} = await open()
  await json('show', eventId(1))
  for (const command of [['list'], ['diagnose', '--no-check-state'], ['replay', '--dry-run']]) {
    const {stderr} = await ask([...command, '--where', 'amount > 1 and orderNumber starts "1000"'])
    expect(stderr, command[0]).toContain(
      'order number not known of 1 event, whose payments were not looked up',
    )
  }
  expect((await ask(['list', '--where', 'amount > 1'])).stderr).not.toContain('order number')
})

test('a plan, its rows and the report of a replay have order and amount; a cause ends with the next change', async () => {
  const {home, shop, payments, ask, json} = await open()
  await ask(['diagnose'])
  const money = {value: '10.00', currency: 'EUR'}
  const [planned] = await json('replay', eventId(1), '--dry-run', '--include-wrong-token')
  expect(planned).toMatchObject({action: 'send', orderNumber: '10001', amount: money})
  const [sent] = await json('replay', eventId(1), '--yes', '--include-wrong-token')
  expect(sent).toMatchObject({result: 'applied', orderNumber: '10001', amount: money})
  expect(await stateOf(shop, payments[0] as string)).toBe('paid')
  const [listed] = await json('list', '--status', 'delivered')
  expect(listed).toMatchObject({orderNumber: '10001', cause: null})
  const report = await storectl(['run', 'export', 'last', '--format', 'json'], {home, env: operatorOf(shop)})
  expect(JSON.parse(report.stdout).items).toMatchObject([{order: '10001', amount: money}])
})

test.each([
  ['order:read', null, 'order numbers are not looked up, and amounts are compared without their currency'],
  ['currency:read', '10001', 'amounts are compared without their currency'],
])(
  'a role without %s replays without it: one note, and doctor names it',
  async (missing, orderNumber, text) => {
    const {home, shop, payments, ask} = await open()
    const signedIn = await signInWith(
      shop,
      REPLAYED.filter(each => each !== missing),
    )
    const replay = ['replay', '--yes', '--include-wrong-token', '-o', 'json']
    const {exit, stdout, stderr} = await ask(replay, signedIn)
    expect(JSON.parse(stdout)[0]).toMatchObject({id: eventId(1), result: 'applied', orderNumber})
    expect(exit).toBe(0)
    expect(stderr.split('The role lacks').length).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`The role lacks ${missing}: ${text}`)
    expect(await stateOf(shop, payments[1] as string)).toBe('paid')
    const doctor = await storectl(['doctor', '--for', 'replay', '-o', 'json'], {
      home,
      env: {...operatorOf(shop), ...signedIn},
    })
    const check = JSON.parse(doctor.stdout).find((each: {check: string}) => each.check === 'privileges')
    expect(check).toMatchObject({state: 'ok', found: expect.stringContaining(`missing ${missing}`)})
  },
)

test('a role without the currency still holds a capture of another amount', async () => {
  const {shop, payments, ask} = await open()
  const signedIn = await signInWith(
    shop,
    REPLAYED.filter(each => each !== 'currency:read'),
  )
  const {resource, ...made} = about(3, payments[0] as string)
  const other = {...made, resource: {...resource, amount: {currency_code: 'EUR', value: '9.99'}}}
  await ask(['import', file(ndjson([other]))])
  const {stdout} = await ask(
    ['replay', eventId(3), '--dry-run', '--include-wrong-token', '-o', 'json'],
    signedIn,
  )
  expect(JSON.parse(stdout)[0]).toMatchObject({action: 'hold', reason: 'amount-differs'})
})
