import {BASE_IDS} from '../../src/shop/runtime/base-data.js'
import {insertEntities, insertPairs} from '../../src/shop/store/entities/insert-entities.js'
import {ENTITY_MODEL} from '../../src/shopware/entities/entities.js'
import {SYSTEM_LANGUAGE_ID} from '../../src/shopware/ids.js'
import type {TestShop} from './running-shop.js'

/** `1` → 32 hex digits that end with it. */
export const idOf = (number: number, lead = '0192b7a1c2d37e4f8a9b'): string =>
  `${lead}${number.toString(16).padStart(32 - lead.length, '0')}`

/** Values of a customer who could be in any shop; `values` says what is special about it. */
export function person(number: number, values: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: idOf(number),
    autoIncrement: number,
    customerNumber: String(10_000 + number),
    groupId: BASE_IDS.customerGroup,
    defaultPaymentMethodId: BASE_IDS.payPal,
    salesChannelId: BASE_IDS.salesChannel,
    languageId: SYSTEM_LANGUAGE_ID,
    firstName: 'Ada',
    lastName: 'Byron',
    email: `person${number}@example.test`,
    active: true,
    doubleOptInRegistration: false,
    guest: false,
    orderCount: 0,
    orderTotalAmount: 0,
    reviewCount: 0,
    accountType: 'private',
    customFields: {},
    createdAt: new Date('2024-10-24T21:30:46.123Z'),
    ...values,
  }
}

export async function addTo(
  shop: TestShop,
  entity: string,
  values: Record<string, unknown>[],
): Promise<void> {
  await shop.db.writes.run(db => insertEntities(db, ENTITY_MODEL.get(entity), values, shop.clock.now()))
}

/** Puts tags on customers, each pair an id of a customer and one of a tag. */
export async function tagCustomers(
  shop: TestShop,
  pairs: (readonly [customerId: string, tagId: string])[],
): Promise<void> {
  await shop.db.writes.run(db => insertPairs(db, 'customer_tag', ['customer_id', 'tag_id'], pairs))
}

/** Takes rows away again, so that no other test meets them. */
export async function removeFrom(shop: TestShop, entity: string, ids: readonly string[]): Promise<void> {
  const headers = {authorization: `Bearer ${await shop.signIn()}`, accept: 'application/json'}
  for (const id of ids) {
    const {status} = await fetch(`${shop.url}/api/${entity}/${id}`, {method: 'DELETE', headers})
    if (status !== 204) throw new Error(`${entity} ${id} stays: ${status}`)
  }
}
