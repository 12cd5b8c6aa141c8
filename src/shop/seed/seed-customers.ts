import {BASE_IDS, countryId, languageId, salutationId, TAGS, tagId} from '../model/base-data.js'
import {LOCALES} from './name-lists.js'
import {SeededRandom, seededId, seededMoment} from './seeded-random.js'

type Values = Record<string, unknown>

/** A customer with the address that it has, and its tags. */
export interface SeededCustomer {
  customer: Values & {id: string; firstName: string; lastName: string; email: string; customerNumber: string}
  address: Values & {id: string}
  tagIds: readonly string[]
}

/** Ids are hashes, and the same ones are needed a million times. */
const IDS = new Map(
  LOCALES.map(locale => [
    locale,
    {languageId: languageId(locale.language), countryId: countryId(locale.country)},
  ]),
)
const SALUTATION_IDS = ['mr', 'mrs', 'not_specified'].map(salutationId)
const TAG_IDS = TAGS.map(tagId)

const DOMAINS = ['example.com', 'example.org', 'example.net', 'mail.example.test']
const TITLES = ['Dr.', 'Prof.', 'Prof. Dr.']
const AFFILIATES = ['newsletter', 'Frühling', 'partner-7']
const NO_TAGS: readonly string[] = []
const FIRST_BIRTHDAY_MS = Date.UTC(1940, 0, 1)
const DAY_MS = 24 * 3600 * 1000

/**
 * The customer at a place, from 0: always the same for a seed. Each has the same members in the same order, and chance
 * is asked in the order in which they stand.
 */
export function seededCustomer(seed: number, place: number): SeededCustomer {
  const random = new SeededRandom(seed, 'customer', place)
  const locale = random.of(LOCALES)
  const [firstName, latinFirst] = random.of(locale.first)
  const [lastName, latinLast] = random.of(locale.last)
  const number = numberOf(seed, place)
  const addressId = seededId(seed, 'customer_address', place)
  const isBusiness = random.onceIn(6)
  const company = isBusiness ? random.of(locale.companies) : null
  const id = seededId(seed, 'customer', place)
  const salutation = random.of(SALUTATION_IDS)
  const tagIds = random.onceIn(8) ? [random.of(TAG_IDS)] : NO_TAGS
  const createdAt = seededMoment(place)
  const loggedIn = random.onceIn(2)
  const customer = {
    groupId: BASE_IDS.customerGroup,
    salesChannelId: BASE_IDS.salesChannel,
    languageId: IDS.get(locale)?.languageId,
    defaultPaymentMethodId: random.onceIn(3) ? BASE_IDS.invoice : BASE_IDS.payPal,
    title: random.onceIn(15) ? random.of(TITLES) : null,
    active: !random.onceIn(20),
    guest: random.onceIn(10),
    doubleOptInRegistration: false,
    affiliateCode: random.onceIn(12) ? random.of(AFFILIATES) : null,
    campaignCode: random.onceIn(25) ? 'SUMMER-24' : null,
    birthday: random.onceIn(3) ? new Date(FIRST_BIRTHDAY_MS + random.below(24_000) * DAY_MS) : null,
    firstLogin: loggedIn ? createdAt : null,
    lastLogin: loggedIn ? new Date(createdAt.getTime() + random.below(300) * DAY_MS) : null,
    orderCount: 0,
    orderTotalAmount: 0,
    reviewCount: 0,
    lastOrderDate: null,
    customFields: random.onceIn(4) ? {loyalty_points: random.below(5000), favourite: random.of(TAGS)} : null,
    createdAt,
    id,
    customerNumber: number,
    firstName,
    lastName,
    company,
    salutationId: salutation,
    email: `${latinFirst}.${latinLast}.${number}@${random.of(DOMAINS)}`.toLowerCase(),
    defaultBillingAddressId: addressId,
    defaultShippingAddressId: addressId,
    accountType: isBusiness ? 'business' : 'private',
    vatIds: isBusiness ? [`${locale.country}${random.text('0123456789', 9)}`] : null,
    tagIds: tagIds.length > 0 ? tagIds : null,
  }
  const [zipcode, city] = random.of(locale.cities)
  const address = {
    countryId: IDS.get(locale)?.countryId,
    street: `${random.of(locale.streets)} ${1 + random.below(200)}`,
    zipcode,
    city,
    phoneNumber: random.onceIn(3) ? `+${random.text('0123456789', 11)}` : null,
    additionalAddressLine1: random.onceIn(12) ? `c/o ${random.of(locale.last)[0]}` : null,
    id: addressId,
    customerId: id,
    salutationId: salutation,
    firstName,
    lastName,
    company,
    createdAt,
  }
  return {tagIds, customer, address}
}

/** The first seed's numbers look like those of a shop; those of others say which seed they are of. */
export function numberOf(seed: number, place: number): string {
  return seed === 1 ? String(10_000 + place) : `${seed}-${10_000 + place}`
}
