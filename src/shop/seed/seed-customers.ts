import {
  BASE_IDS,
  deriveCountryId,
  deriveLanguageId,
  deriveSalutationId,
  deriveTagId,
  SAMPLE_TAGS,
} from '../runtime/base-data.js'
import {LOCALES} from './name-lists.js'
import {deriveMoment, deriveSeededId, SeededRandom} from './seeded-random.js'

type Values = Record<string, unknown>

/** A customer with its address and tags. */
export interface SeededCustomer {
  customer: Values & {id: string; firstName: string; lastName: string; email: string; customerNumber: string}
  address: Values & {id: string}
  tagIds: readonly string[]
}

/** Cached, because these hashed ids are needed a million times. */
const IDS = new Map(
  LOCALES.map(locale => [
    locale,
    {languageId: deriveLanguageId(locale.language), countryId: deriveCountryId(locale.country)},
  ]),
)
const SALUTATION_IDS = ['mr', 'mrs', 'not_specified'].map(deriveSalutationId)
const TAG_IDS = SAMPLE_TAGS.map(deriveTagId)

const DOMAINS = ['example.com', 'example.org', 'example.net', 'mail.example.test']
const TITLES = ['Dr.', 'Prof.', 'Prof. Dr.']
const AFFILIATES = ['newsletter', 'Frühling', 'partner-7']
const NO_TAGS: readonly string[] = []
const FIRST_BIRTHDAY_MS = Date.UTC(1940, 0, 1)
const DAY_MS = 24 * 3600 * 1000

/**
 * The customer at a position, from 0: always the same for a seed. All have the same members in the same order, which is
 * also that of the random draws.
 */
export function drawCustomer(seed: number, ordinal: number): SeededCustomer {
  const random = new SeededRandom(seed, 'customer', ordinal)
  const {locale, isBusiness, firstName, lastName, latinName, company, salutation, tagIds} = drawPerson(random)
  const number = formatCustomerNumber(seed, ordinal)
  const addressId = deriveSeededId(seed, 'customer_address', ordinal)
  const id = deriveSeededId(seed, 'customer', ordinal)
  const createdAt = deriveMoment(ordinal)
  const loggedIn = random.drawOnceIn(2)
  const customer = {
    groupId: BASE_IDS.customerGroup,
    salesChannelId: BASE_IDS.salesChannel,
    languageId: IDS.get(locale)?.languageId,
    defaultPaymentMethodId: random.drawOnceIn(3) ? BASE_IDS.invoice : BASE_IDS.payPal,
    title: random.drawOnceIn(15) ? random.pick(TITLES) : null,
    active: !random.drawOnceIn(20),
    guest: random.drawOnceIn(10),
    doubleOptInRegistration: false,
    affiliateCode: random.drawOnceIn(12) ? random.pick(AFFILIATES) : null,
    campaignCode: random.drawOnceIn(25) ? 'SUMMER-24' : null,
    birthday: random.drawOnceIn(3) ? new Date(FIRST_BIRTHDAY_MS + random.drawBelow(24_000) * DAY_MS) : null,
    firstLogin: loggedIn ? createdAt : null,
    lastLogin: loggedIn ? new Date(createdAt.getTime() + random.drawBelow(300) * DAY_MS) : null,
    orderCount: 0,
    orderTotalAmount: 0,
    reviewCount: 0,
    lastOrderDate: null,
    customFields: random.drawOnceIn(4)
      ? {loyalty_points: random.drawBelow(5000), favourite: random.pick(SAMPLE_TAGS)}
      : null,
    createdAt,
    id,
    customerNumber: number,
    firstName,
    lastName,
    company,
    salutationId: salutation,
    email: `${latinName}.${number}@${random.pick(DOMAINS)}`.toLowerCase(),
    defaultBillingAddressId: addressId,
    defaultShippingAddressId: addressId,
    accountType: isBusiness ? 'business' : 'private',
    vatIds: isBusiness ? [`${locale.country}${random.drawText('0123456789', 9)}`] : null,
    tagIds: tagIds.length > 0 ? tagIds : null,
  }
  const shared = {
    id: addressId,
    customerId: id,
    salutationId: salutation,
    firstName,
    lastName,
    company,
    createdAt,
  }
  return {tagIds, customer, address: drawAddress(random, locale, shared)}
}

function drawPerson(random: SeededRandom) {
  const locale = random.pick(LOCALES)
  const [firstName, latinFirst] = random.pick(locale.first)
  const [lastName, latinLast] = random.pick(locale.last)
  const isBusiness = random.drawOnceIn(6)
  const company = isBusiness ? random.pick(locale.companies) : null
  const salutation = random.pick(SALUTATION_IDS)
  const tagIds = random.drawOnceIn(8) ? [random.pick(TAG_IDS)] : NO_TAGS
  const latinName = `${latinFirst}.${latinLast}`
  return {locale, isBusiness, firstName, lastName, latinName, company, salutation, tagIds}
}

/** @param shared values from its customer */
function drawAddress(
  random: SeededRandom,
  locale: (typeof LOCALES)[number],
  shared: Values & {readonly id: string},
): SeededCustomer['address'] {
  const [zipcode, city] = random.pick(locale.cities)
  return {
    countryId: IDS.get(locale)?.countryId,
    street: `${random.pick(locale.streets)} ${1 + random.drawBelow(200)}`,
    zipcode,
    city,
    phoneNumber: random.drawOnceIn(3) ? `+${random.drawText('0123456789', 11)}` : null,
    additionalAddressLine1: random.drawOnceIn(12) ? `c/o ${random.pick(locale.last)[0]}` : null,
    ...shared,
  }
}

/** The first seed's numbers look like those of a shop; those of other seeds contain the seed. */
export function formatCustomerNumber(seed: number, ordinal: number): string {
  return seed === 1 ? String(10_000 + ordinal) : `${seed}-${10_000 + ordinal}`
}
