import {expect, test} from 'vitest'
import {isPersonal, maskRow, maskRows} from '../../../src/customer/fields/mask.js'
import {customerRow} from '../../support/customer-pages.js'

const SECRET = /Ada|Byron|example|Firm|0190|Bonn|red|vip@|Dr\./

test('what says who somebody is goes, wherever it stands, and the rest stays as it is', () => {
  const row = customerRow(7, {
    company: 'Firm',
    title: 'Dr.',
    birthday: '1815-12-10T00:00:00.000+00:00',
    vatIds: ['DE0190'],
    orderTotalAmount: 12.5,
    group: {name: 'Standard', id: 'g', apiAlias: 'customer_group'},
    addresses: [{city: 'Bonn', zipcode: '0190', country: {iso: 'DE', name: 'Germany'}, id: 'a'}],
    recentOrders: [
      {orderNumber: '10', price: {netPrice: 3, taxStatus: 'gross', anything: 'kept'}, customerComment: 'Ada'},
    ],
    guest: false,
  })
  const shown = maskRow(row) as typeof row & Record<string, unknown>
  expect(JSON.stringify(shown)).not.toMatch(SECRET)
  expect(shown).toMatchObject({
    customerNumber: '10007',
    createdAt: row.createdAt,
    company: '***',
    vatIds: ['***'],
    orderTotalAmount: 12.5,
    active: true,
    guest: false,
    group: {name: 'Standard'},
    addresses: [{city: '***', country: {iso: 'DE', name: 'Germany'}, id: 'a'}],
    recentOrders: [{orderNumber: '10', price: {netPrice: 3, taxStatus: 'gross', anything: 'kept'}}],
    id: row.id,
    extensions: row.extensions,
    apiAlias: 'customer',
  })
})

test('no text and no number is left of what plugins and people add', () => {
  const shown = maskRow(
    customerRow(1, {
      customFields: {
        colour: 'red',
        phone: 190,
        nested: {list: ['red', {deep: 'red'}]},
        agreed: true,
        none: null,
      },
      swagLoyaltyCard: 'Ada 0190',
      swagPoints: 190,
      extensions: {swagCrm: {contact: 'Ada', name: 'Byron', rating: [1, 'red'], apiAlias: 'red'}},
      translated: {swagName: 'Ada'},
    }),
  )
  expect(JSON.stringify(shown)).not.toMatch(SECRET)
  expect(JSON.stringify(shown)).not.toContain('190')
  expect(shown).toMatchObject({
    customFields: {colour: '***', nested: {list: ['***', {deep: '***'}]}, agreed: true, none: null},
    swagLoyaltyCard: '***',
    extensions: {swagCrm: {contact: '***', rating: ['***', '***']}},
  })
})

test('fields are personal by the same rule', () => {
  const personal = ['email', 'addresses.city', 'customFields.colour', 'extensions.swagCrm.name', 'swagCard']
  expect(personal.filter(path => !isPersonal(path))).toEqual([])
  const others = [
    'customerNumber',
    'group.name',
    'defaultBillingAddress.country.iso',
    'createdAt',
    'tags.name',
  ]
  expect(others.filter(isPersonal)).toEqual([])
})

test('batches are masked row by row', async () => {
  async function* batches() {
    yield [customerRow(1)]
    yield [customerRow(2), customerRow(3)]
  }
  const sizes = []
  for await (const batch of maskRows(batches())) {
    expect(JSON.stringify(batch)).not.toMatch(SECRET)
    sizes.push((batch as unknown[]).length)
  }
  expect(sizes).toEqual([1, 2])
})
