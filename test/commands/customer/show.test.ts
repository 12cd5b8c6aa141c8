import {expect, test} from 'vitest'
import {measureWidth} from '../../../src/output/table/grid.js'
import {customerRow, listing, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {storectl} from '../../support/storectl.js'

const address = (id: string, city: string) => ({
  id,
  firstName: 'Ada',
  lastName: 'Byron',
  city,
  country: {iso: 'DE'},
})
const customer = customerRow(1, {defaultBillingAddressId: 'b', defaultShippingAddressId: 'b'})
const order = {
  orderNumber: '10042',
  orderDateTime: '2024-10-24T21:30:46.123+00:00',
  amountTotal: 12.5,
  currency: {isoCode: 'EUR'},
  stateMachineState: {technicalName: 'open'},
}
const ANSWERS: Record<string, unknown[]> = {
  '/api/search/customer': [customer],
  '/api/search/customer-address': [address('a', 'Bonn'), address('b', 'Jena')],
  '/api/search/order': [order],
}

async function show(argv: string[], options: object = {}, refused = '') {
  const shop = await endpoint(({url}) =>
    url === refused
      ? {status: 403, body: '{"errors":[{"status":"403"}]}'}
      : {body: listing(ANSWERS[url] ?? [])},
  )
  const ended = await storectl(['customer', 'show', '10001', ...argv], {
    env: signedInTo(shop.url),
    ...options,
  })
  return {...ended, received: shop.received}
}

test('a customer comes with addresses, the default ones first, and the newest orders', async () => {
  const {stdout, received} = await show(['-o', 'json'])
  const shown = JSON.parse(stdout)
  expect(shown).toMatchObject({...customer, recentOrders: [order]})
  expect(shown.addresses.map(({city, use}: {city: string; use: string}) => [city, use])).toEqual([
    ['Jena', 'billing, shipping'],
    ['Bonn', ''],
  ])
  const orders = received.find(({url}) => url === '/api/search/order')
  expect(JSON.parse(orders?.body as string)).toMatchObject({
    filter: [{type: 'equals', field: 'orderCustomer.customerId', value: customer.id}],
    sort: [{field: 'orderDateTime', order: 'DESC'}],
  })
})

test('on a terminal they stand below, each in a table of its own', async () => {
  const {stdout} = await show([], {terminal: true, columns: 120})
  expect(stdout).toMatch(/Email +ada1@example.test\n/)
  expect(stdout).toMatch(/\nAddresses\nUSE +FIRST NAME[^\n]*\nbilling, shipping +Ada +Byron +Jena +DE\n/)
  expect(stdout).toMatch(/\nRecent orders\nNUMBER +ORDERED[^\n]*\n10042 .* open +12.5 +EUR\n$/)
})

test('what the sign-in may not read is left out, and said', async () => {
  const {stdout, stderr, exit} = await show(['-o', 'json'], {}, '/api/search/order')
  expect([exit, JSON.parse(stdout).recentOrders]).toEqual([0, null])
  expect(stderr).toContain('This account may not read orders.')
})

test('--mask-pii hides who it is in all of them', async () => {
  for (const argv of [
    ['-o', 'json'],
    ['-o', 'table'],
  ]) {
    const {stdout} = await show([...argv, '--mask-pii'])
    expect(stdout).not.toMatch(/Ada|Byron|Bonn|Jena|example\.test/)
    expect(stdout).toContain('10042')
  }
})

test('a terminal of 20 columns holds every line of it', async () => {
  const {stdout} = await show([], {terminal: true, columns: 20})
  expect(stdout).toContain('Email\n  ada1@example.test\n')
  expect(stdout).toContain('LAST NAME  Byron\nCITY  Jena\n')
  const wide = stdout.split('\n').filter(line => measureWidth(line) > 20)
  // The id alone, which is copied.
  expect(wide).toEqual([`  ${'1'.padStart(32, '0')}`])
})
