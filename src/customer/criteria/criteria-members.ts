import {createUsageError} from '../../errors.js'
import {isObject} from '../../language/json-object.js'
import {suggestNearest} from '../../language/nearest-word.js'

/** What is wrong with a value, and what was meant; `undefined` for nothing. */
type Check = (value: unknown) => string | undefined

/** The members that are passed on or merged, each with the values that the shop reads. @see protocol.md §6.2 */
const MEMBERS: Readonly<Record<string, Check>> = {
  ids: checkIds,
  limit: checkWholeNumber,
  page: checkWholeNumber,
  term: value => (isText(value) ? undefined : 'expected words.'),
  filter: checkFilters,
  'post-filter': checkFilters,
  query: checkScored,
  sort: checkSorts,
  associations: value =>
    isMapOf(isMap, value) ? undefined : 'expected an object such as {"addresses": {}}.',
  includes: checkProperties,
  excludes: checkProperties,
  fields: checkNames,
  grouping: checkNames,
  'total-count-mode': () => undefined,
  aggregations: () =>
    'a search prints customers; count them by --facet, or send the file with: storectl api POST',
}

/**
 * Refuses members that the shop would silently ignore, for instance `totalCountMode` or text as `query`: the search
 * would find something other than intended, most often every customer.
 *
 * @param path where the members are, with a dot behind; empty for those of the criteria themselves
 * @throws StorectlError `usage.criteria`
 */
export function checkMembers(given: object, path = ''): void {
  for (const [key, value] of Object.entries(given)) {
    const where = `"${path}${key}": `
    const check = Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined
    if (!check) throw createCriteriaError(describeUnknown(key), where)
    const problem = check(value)
    if (problem !== undefined) throw createCriteriaError(problem, where)
    if (key !== 'associations') continue
    for (const [name, inner] of Object.entries(value as object)) checkMembers(inner, `${path}${key}.${name}.`)
  }
}

function describeUnknown(key: string): string {
  const hyphened = key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  return `unknown member "${key}".${suggestNearest(hyphened, Object.keys(MEMBERS))}`
}

function checkWholeNumber(value: unknown): string | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'expected a whole number from 1.'
}

/** No ids at all: Shopware 6.5 answers with every customer, later versions with 400. */
function checkIds(ids: unknown): string | undefined {
  if (Array.isArray(ids) && ids.length === 0)
    return 'the list is empty; Shopware 6.5 would return every customer.'
  const isId = (each: unknown) => isText(isObject(each) ? each.id : each)
  return isText(ids) || isListOf(isId, ids) ? undefined : 'expected a list of ids.'
}

/** A list, or a map of fields and values; `null` is none. */
function checkFilters(filters: unknown): string | undefined {
  if (filters === null) return undefined
  if (Array.isArray(filters)) return findProblem(filters, checkFilter)
  if (!isObject(filters)) return 'expected a list of filters.'
  if (typeof filters.type === 'string' && ('field' in filters || 'queries' in filters))
    return 'a single filter; put it in a list: [{"type": …}].'
  const isValue = (value: unknown) => value === null || typeof value !== 'object'
  return Object.values(filters).every(isValue)
    ? undefined
    : 'expected a list of filters, or fields with values.'
}

/** Filters that combine others; empty ones find everybody. @see protocol.md §6.3 */
const JOINING = ['and', 'or', 'not', 'nand', 'nor', 'multi']

function checkFilter(filter: unknown): string | undefined {
  if (!isObject(filter))
    return 'expected filters such as {"type": "equals", "field": "email", "value": "ada@example.com"}.'
  const {type, queries} = filter
  if (!JOINING.includes(type as string)) return undefined
  return Array.isArray(queries)
    ? findProblem(queries, checkFilter)
    : `"${type}" needs "queries", a list of filters; without it every customer would be found.`
}

const SCORED = 'expected a list such as [{"query": {"type": "contains", …}, "score": 500}]'

/** The shop ignores text, and fails on an object. */
function checkScored(scored: unknown): string | undefined {
  if (isListOf(each => isObject(each) && isObject(each.query), scored))
    return findProblem(scored as {query: unknown}[], ({query}) => checkFilter(query))
  const isGraph = typeof scored === 'string' && scored.includes('{')
  const meant = isGraph ? 'GraphQL is not supported' : 'words go in "term", conditions in "filter"'
  return `${SCORED}; ${meant}.`
}

function checkSorts(sorts: unknown): string | undefined {
  if (isText(sorts) || isListOf(each => isObject(each) && isText(each.field), sorts)) return undefined
  return 'expected a list such as [{"field": "lastName", "order": "desc"}], or a text such as "lastName,-createdAt".'
}

function checkProperties(properties: unknown): string | undefined {
  const isNames = (names: unknown) => isListOf(isText, names)
  return isMapOf(isNames, properties) ? undefined : 'expected an object such as {"customer": ["email"]}.'
}

function checkNames(names: unknown): string | undefined {
  return isListOf(isText, names) ? undefined : 'expected a list of fields.'
}

function findProblem<T>(list: readonly T[], check: (each: T) => string | undefined): string | undefined {
  for (const each of list) {
    const problem = check(each)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isListOf(isMember: (value: unknown) => boolean, value: unknown): boolean {
  return Array.isArray(value) && value.every(isMember)
}

/** An empty list is an empty map, as PHP writes one. */
function isMap(value: unknown): boolean {
  return isObject(value) || (Array.isArray(value) && value.length === 0)
}

function isMapOf(isMember: (value: unknown) => boolean, value: unknown): boolean {
  return isMap(value) && Object.values(value as object).every(isMember)
}

/** The error for criteria that cannot be sent. @param where the member, `"limit": ` */
export function createCriteriaError(problem: string, where = ''): Error {
  return createUsageError('criteria', `--criteria: ${where}${problem}`)
}
