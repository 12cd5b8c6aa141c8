import type {CriteriaFilter, SearchCriteria, Sort} from './criteria.js'
import {checkMembers, createCriteriaError} from './criteria-members.js'

/** Criteria in the shop's own JSON, `filter` and `sort` as lists. Beyond `SearchCriteria` it may hold what is only passed on. */
export type GivenCriteria = SearchCriteria & {
  readonly query?: unknown
  readonly grouping?: unknown
}

/** Larger than any request that makes sense, smaller than what would fill the memory. */
const LARGEST_BYTES = 1024 * 1024

/**
 * The text of a file of criteria.
 *
 * @throws StorectlError `usage.criteria` when it is larger than 1 MiB
 */
export async function readCriteriaText(input: {read(): AsyncIterable<Uint8Array>}): Promise<string> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of input.read()) {
    sizeBytes += piece.length
    if (sizeBytes > LARGEST_BYTES) throw createCriteriaError('the file is larger than 1 MiB.')
    pieces.push(Buffer.from(piece))
  }
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\ufeff/, '')
}

/** Nested deeper than any criteria that make sense, and less deep than a call stack. */
const DEEPEST = 100

/**
 * Reads criteria in the shop's own JSON.
 *
 * Members that the shop would silently ignore, for instance `totalCountMode`, are refused: the search would find
 * something other than intended. Only `total-count-mode` is left out: counting costs the shop, and the total is not
 * used; `--count` requests it.
 *
 * @throws StorectlError `usage.criteria`
 */
export function readCriteriaFile(text: string): GivenCriteria {
  const given = parseObject(text)
  checkMembers(given)
  const {filter, sort, 'total-count-mode': _, ...rest} = given
  return {
    ...rest,
    ...(filter !== undefined && {filter: parseFilters(filter)}),
    ...(sort !== undefined && {sort: parseSorts(sort)}),
  }
}

function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw createCriteriaError('expected a JSON object, such as {"filter": [...]}.')
  if (isDeeperThan(DEEPEST, value)) throw createCriteriaError(`nested more than ${DEEPEST} levels deep.`)
  return {...value}
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw createCriteriaError(`not JSON: ${(error as Error).message}. Name a file as @FILE.`)
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some(each => isDeeperThan(levels - 1, each))
}

/** A map of fields and values is a list of `equals`, and `null` is none. @see protocol.md §6.2 */
function parseFilters(filter: unknown): readonly CriteriaFilter[] {
  if (Array.isArray(filter)) return filter
  return Object.entries(filter ?? {}).map(([field, value]) => ({type: 'equals', field, value}))
}

/** `"lastName,-createdAt"` is a list too. @see protocol.md §6.2 */
function parseSorts(sort: unknown): readonly Sort[] {
  if (Array.isArray(sort)) return sort
  return String(sort)
    .split(',')
    .map(part => part.trim())
    .map(part => (part.startsWith('-') ? {field: part.slice(1), order: 'DESC'} : {field: part, order: 'ASC'}))
}
