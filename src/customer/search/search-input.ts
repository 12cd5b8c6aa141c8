import {createUsageError, type StorectlError} from '../../errors.js'
import type {SearchFlags} from '../../flags/search-flags.js'
import type {GivenCriteria} from '../criteria/criteria-file.js'
import type {FacetInput} from './single-response.js'

/** The input besides the flags. */
export interface SearchWords {
  readonly terms: readonly string[]
  readonly criteria: GivenCriteria | undefined
  /** Fields to print of each customer, `undefined` for all. */
  readonly properties: readonly string[] | undefined
  readonly now: Date
  /** How many are printed where neither a flag nor the criteria say so. */
  readonly usualLimit: number
}

/**
 * The search of a command line; flags take precedence over `--criteria`.
 *
 * @throws StorectlError `usage.criteria` for a limit or a page of `--criteria` that `--all` would pass over, and for
 *   `--limit` or `--page` that its ids would; `usage.facet` for a facet without a name
 */
export function searchInput(
  flags: SearchFlags,
  {terms, criteria, properties, now, usualLimit}: SearchWords,
): FacetInput {
  const facets = parseFacets(flags.facet)
  if (criteria) mustGoTogether(flags, criteria)
  const isWhole = flags.all || criteria?.ids !== undefined
  const {email, number, name, company, group, country, city, zip, where, guest, ranked, sort} = flags
  return {
    ...{terms, email, number, name, company, group, country, city, zip, where, guest, ranked, sort},
    tags: flags.tag,
    active: flags.active ? true : flags.inactive ? false : undefined,
    createdSince: flags['created-since']?.(now),
    createdUntil: flags['created-until']?.(now),
    lastOrderSince: flags['last-order-since']?.(now),
    lastOrderUntil: flags['last-order-until']?.(now),
    criteria,
    limit: isWhole ? undefined : (flags.limit ?? (facets ? undefined : criteria?.limit) ?? usualLimit),
    page: isWhole ? undefined : (flags.page ?? criteria?.page),
    pageSize: flags['page-size'],
    properties: facets ? undefined : properties,
    facets: facets ?? [],
    isMasked: flags['mask-pii'],
  }
}

function parseFacets(text: string | undefined): string[] | undefined {
  const facets = text?.split(',').map(facet => facet.trim())
  if (facets?.includes('')) throw createUsageError('facet', '--facet has an empty field name.')
  return facets
}

function mustGoTogether(flags: SearchFlags, {ids, limit, page}: GivenCriteria): void {
  if (flags.all && limit !== undefined) throw createExclusiveFlagError('--all', '"limit"')
  if (flags.all && page !== undefined) throw createExclusiveFlagError('--all', '"page"')
  if (ids !== undefined && flags.limit !== undefined) throw createExclusiveFlagError('--limit', '"ids"')
  if (ids !== undefined && flags.page !== undefined) throw createExclusiveFlagError('--page', '"ids"')
}

function createExclusiveFlagError(flag: string, member: string): StorectlError {
  return createUsageError('criteria', `${flag} does not go with ${member} of --criteria: omit one of them.`)
}
