import {byVersion, EDITION} from '../versions.js'

/** Names that the protocol gives, in its orders. @see protocol.md §6.6, §7 */

const AROUND = ['extensions', '_uniqueIdentifier', 'versionId', 'translated', 'createdAt', 'updatedAt']

const words = (text: string) => text.trim().split(/,\s*/)

/** What customers of 6.7 have no more. */
const isThere = (name: string) => EDITION.hasDefaultPayment || !name.startsWith('defaultPaymentMethod')

/** Of a customer in plain JSON. @see protocol.md §7.3 */
export const CUSTOMER_MEMBERS: readonly string[] = [
  ...AROUND,
  ...words(`groupId, defaultPaymentMethodId, salesChannelId, languageId, lastPaymentMethodId,
    defaultBillingAddressId, defaultShippingAddressId, customerNumber, salutationId, firstName, lastName, company,
    email, title, vatIds, affiliateCode, campaignCode, active, doubleOptInRegistration, doubleOptInEmailSentDate,
    doubleOptInConfirmDate, hash, guest, firstLogin, lastLogin, accountType, birthday, lastOrderDate, orderCount,
    orderTotalAmount, reviewCount, group, defaultPaymentMethod, salesChannel, language, lastPaymentMethod, salutation,
    defaultBillingAddress, defaultShippingAddress, addresses, orderCustomers, autoIncrement, tags, tagIds, promotions,
    recoveryCustomer, productReviews, remoteAddress, requestedGroupId, requestedGroup, boundSalesChannelId,
    boundSalesChannel, wishlists, createdById, createdBy, updatedById, updatedBy`),
  'customFields',
  'id',
  'apiAlias',
].filter(isThere)

/** Of an address in plain JSON. @see protocol.md §7.3 */
export const ADDRESS_MEMBERS: readonly string[] = [
  ...AROUND,
  ...words(`customerId, countryId, countryStateId, salutationId, firstName, lastName, zipcode, city, company,
    department, title, street, phoneNumber, additionalAddressLine1, additionalAddressLine2, country, countryState,
    salutation, customer`),
  'customFields',
  'id',
  'apiAlias',
]

/** Of a customer's `attributes`. @see protocol.md §7.4 */
export const CUSTOMER_ATTRIBUTES: readonly string[] = words(`groupId, salesChannelId, languageId,
  lastPaymentMethodId, defaultBillingAddressId, defaultShippingAddressId, autoIncrement, customerNumber, salutationId,
  firstName, lastName, company, email, title, vatIds, affiliateCode, campaignCode, active, doubleOptInRegistration,
  doubleOptInEmailSentDate, doubleOptInConfirmDate, hash, guest, firstLogin, lastLogin, birthday, lastOrderDate,
  orderCount, orderTotalAmount, reviewCount, customFields, remoteAddress, tagIds, requestedGroupId,
  boundSalesChannelId, accountType, createdById, updatedById, defaultPaymentMethodId, createdAt, updatedAt, apiAlias`).filter(
  isThere,
)

/** Of an address's `attributes`. @see protocol.md §7.4 */
export const ADDRESS_ATTRIBUTES: readonly string[] =
  words(`customerId, countryId, countryStateId, salutationId,
  firstName, lastName, zipcode, city, company, street, department, title, phoneNumber, additionalAddressLine1,
  additionalAddressLine2, customFields, createdAt, updatedAt, apiAlias`)

/** Addresses that 6.7 shows empty; their place among the members is not described. @see shop-6.7.md §4 */
export const ACTIVE_ADDRESSES = ['activeBillingAddress', 'activeShippingAddress'] as const

const UNPLACED = byVersion<Readonly<Record<string, readonly string[]>>>(
  {},
  {'6.7': {customer: ACTIVE_ADDRESSES, customer_address: ['hash']}},
)

/** The members of a customer, an address, their attributes or relationships whose order is described. */
export function placedMembersOf(entity: 'customer' | 'customer_address', thing: object): string[] {
  return Object.keys(thing).filter(name => !UNPLACED[entity]?.includes(name))
}

/** Never in an answer. @see protocol.md §6.6 */
export const HIDDEN = ['password', 'legacyPassword', 'legacyEncoder', 'newsletterSalesChannelIds'] as const

const MANY = ['addresses', 'orderCustomers', 'tags', 'promotions', 'productReviews', 'wishlists']

/** Of a customer, in the order of JSON:API. @see protocol.md §7.4 */
export const RELATIONSHIPS: readonly {name: string; path: string; isMany: boolean}[] =
  words(`group, salesChannel, language, lastPaymentMethod, defaultBillingAddress, defaultShippingAddress, salutation,
    addresses, orderCustomers, tags, promotions, productReviews, recoveryCustomer, requestedGroup, boundSalesChannel,
    wishlists, createdBy, updatedBy, defaultPaymentMethod`)
    .filter(isThere)
    .map(name => ({
      name,
      path: name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
      isMany: MANY.includes(name),
    }))
