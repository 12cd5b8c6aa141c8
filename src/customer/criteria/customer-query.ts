import {createUsageError} from '../../errors.js'
import {parseWhere} from '../../language/where/where.js'
import type {FieldFinder} from '../fields/fields.js'
import {type CriteriaFilter, combineWithOr} from './criteria.js'
import {buildEmailFilter, extractEmail, isEmail} from './email-address.js'
import {filterOf, formatStoredTime} from './where-filter.js'

/** Which customers to find. All given conditions must hold. */
export interface CustomerQuery {
  /** Words to find, or an e-mail address, which is matched exactly. */
  readonly terms?: readonly string[]
  /** Whether the words go to the shop's own `term`, which matches any of them and ranks the best first. */
  readonly ranked?: boolean | undefined
  readonly email?: string | undefined
  readonly number?: string | undefined
  /** Words of first and last name. */
  readonly name?: string | undefined
  readonly company?: string | undefined
  /** Id of the customer group, or its name. */
  readonly group?: string | undefined
  /** ISO 3166-1 alpha-2, of the default billing address; so are city and zip. */
  readonly country?: string | undefined
  readonly city?: string | undefined
  /** The beginning of the postal code. */
  readonly zip?: string | undefined
  readonly active?: boolean | undefined
  readonly guest?: boolean | undefined
  readonly createdSince?: Date | undefined
  /** Exclusive. */
  readonly createdUntil?: Date | undefined
  /** When the last order was made; a customer without one is not found. */
  readonly lastOrderSince?: Date | undefined
  /** Exclusive. */
  readonly lastOrderUntil?: Date | undefined
  /** Names of tags; a customer has each of them. */
  readonly tags?: readonly string[] | undefined
  /** A condition in the `--where` language. */
  readonly where?: string | undefined
}

/** The customer's own fields in which a word is searched. @see protocol.md §6.7 */
const SEARCHED = ['customerNumber', 'firstName', 'lastName', 'company', 'email']
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const ID = /^[0-9a-f]{32}$/

/**
 * The filters that find the wanted customers, in the order of `CustomerQuery`.
 *
 * Each word must be contained in one of the searched fields; the shop's own `term` would accept one of them.
 *
 * @throws StorectlError `usage.where`
 */
export function buildFilters(query: CustomerQuery, fields: FieldFinder): CriteriaFilter[] {
  const words = query.ranked ? [] : trimWords(query.terms)
  return [
    ...words.map(word => (isEmail(word) ? buildEmailFilter(word) : buildContainsFilter(SEARCHED, word))),
    ...buildOptionalFilter(query.email, buildEmailFilter),
    ...buildOptionalFilter(query.number, number => equals('customerNumber', number)),
    ...trimWords(query.name === undefined ? [] : [query.name]).map(word =>
      buildContainsFilter(['firstName', 'lastName'], word),
    ),
    ...buildOptionalFilter(query.company, company => buildContainsFilter(['company'], company)),
    ...buildOptionalFilter(query.group, group => buildGroupFilter(group)),
    ...buildOptionalFilter(query.country, country =>
      equals('defaultBillingAddress.country.iso', country.toUpperCase()),
    ),
    ...buildOptionalFilter(query.city, city => buildContainsFilter(['defaultBillingAddress.city'], city)),
    ...buildOptionalFilter(query.zip, zip => prefix('defaultBillingAddress.zipcode', zip)),
    ...buildOptionalFilter(query.active, active => equals('active', active)),
    ...buildOptionalFilter(query.guest, guest => equals('guest', guest)),
    ...buildRangeFilter('createdAt', query.createdSince, query.createdUntil),
    ...buildRangeFilter('lastOrderDate', query.lastOrderSince, query.lastOrderUntil),
    ...buildTagFilters(query.tags ?? []),
    ...buildOptionalFilter(query.where, where => filterOf(parseWhere(where), where, fields)),
  ]
}

function buildOptionalFilter<T>(
  value: T | undefined,
  filter: (value: T) => CriteriaFilter,
): CriteriaFilter[] {
  return value === undefined ? [] : [filter(value)]
}

/** The trimmed words; of a name followed by an address, only the address. */
export function trimWords(terms: readonly string[] = []): string[] {
  return terms.flatMap(term => extractEmail(term).split(/\s+/)).filter(word => word !== '')
}

/** A word as an id in the shop's form, with or without dashes; `undefined` for any other word. */
export function parseId(word: string): string | undefined {
  const id = UUID.test(word) ? word.replaceAll('-', '') : word
  return ID.test(id.toLowerCase()) ? id.toLowerCase() : undefined
}

function buildGroupFilter(group: string): CriteriaFilter {
  const id = parseId(group)
  return id === undefined ? equals('group.name', group) : equals('groupId', id)
}

function equals(field: string, value: string | boolean): CriteriaFilter {
  return {type: 'equals', field, value}
}

function prefix(field: string, value: string): CriteriaFilter {
  return {type: 'prefix', field, value}
}

function buildContainsFilter(fields: readonly string[], value: string): CriteriaFilter {
  return combineWithOr(fields.map(field => ({type: 'contains', field, value})))
}

/** @param until exclusive */
function buildRangeFilter(field: string, since: Date | undefined, until: Date | undefined): CriteriaFilter[] {
  const parameters = {
    ...(since && {gte: formatStoredTime(since)}),
    ...(until && {lt: formatStoredTime(until)}),
  }
  return since || until ? [{type: 'range', field, parameters}] : []
}

/** Each tag of a customer is a row of its own, so `equals` twice would find nobody. */
function buildTagFilters(tags: readonly string[]): CriteriaFilter[] {
  const [only, ...others] = tags
  if (only === undefined) return []
  if (others.length === 0) return [equals('tags.name', only)]
  return [{type: 'equalsAll', field: 'tags.name', value: [only, ...others]}]
}

/**
 * Refuses empty flags and words: a script with an unset variable would find everybody.
 *
 * @param flags by name, without the dashes; what is not text is passed over
 * @param name of the argument that the words are given as
 * @throws StorectlError `usage.empty_value`
 */
export function refuseEmptyInput(
  flags: Readonly<Record<string, unknown>>,
  words: readonly string[],
  name: string,
): void {
  for (const [flag, value] of Object.entries(flags)) {
    const values = Array.isArray(value) ? value : [value]
    if (values.some(isBlank)) throw createEmptyInputError(`--${flag}`)
  }
  if (words.some(isBlank)) throw createEmptyInputError(name.toUpperCase())
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function createEmptyInputError(what: string): Error {
  return createUsageError('empty_value', `${what} is empty; is its variable set?`)
}
