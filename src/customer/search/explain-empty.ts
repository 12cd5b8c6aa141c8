import {StorectlError} from '../../errors.js'
import {suggestNearest} from '../../language/nearest-word.js'
import type {Row} from '../../output/view.js'
import {fold} from '../../shopware/fold-text.js'
import {LARGEST_PAGE} from '../criteria/criteria.js'
import {type CustomerQuery, parseId} from '../criteria/customer-query.js'
import type {CustomerApi} from './search-client.js'

/** Something by which customers are filtered, and of which a shop has a list. */
interface Listed {
  /** As paths have it. */
  readonly entity: string
  /** Its name for a person. */
  readonly what: string
  /** The member that the flag takes. */
  readonly taken: 'name' | 'iso'
}

const GROUPS: Listed = {entity: 'customer-group', what: 'customer group', taken: 'name'}
const COUNTRIES: Listed = {entity: 'country', what: 'country', taken: 'iso'}
const TAGS: Listed = {entity: 'tag', what: 'tag', taken: 'name'}

export interface WhyNoneDeps {
  readonly api: Pick<CustomerApi, 'list'>
  readonly signal: AbortSignal
}

/**
 * Possible reasons why nobody was found: a group, a country or a tag that the shop does not have. Costs a request for
 * each that was given.
 *
 * @returns a sentence each, with the nearest existing one; nothing if that is unknown
 */
export async function explainEmpty(
  {group, country, tags = []}: CustomerQuery,
  deps: WhyNoneDeps,
): Promise<string[]> {
  const asked: [Listed, readonly string[]][] = [
    [GROUPS, group === undefined ? [] : [group]],
    [COUNTRIES, country === undefined ? [] : [country]],
    [TAGS, tags],
  ]
  const said: string[] = []
  for (const [listed, words] of asked) {
    const rows = words.length === 0 ? undefined : await fetchRows(listed, deps)
    if (rows) said.push(...words.flatMap(word => describeMissing(word, listed, rows)))
  }
  return said
}

/** `undefined` if the access token may not read them, or there are more than fit in one answer. */
async function fetchRows({entity}: Listed, {api, signal}: WhyNoneDeps): Promise<readonly Row[] | undefined> {
  try {
    const rows = await api.list(entity, {limit: LARGEST_PAGE}, signal)
    return rows.length < LARGEST_PAGE ? rows : undefined
  } catch (error) {
    if (error instanceof StorectlError) return undefined
    throw error
  }
}

function describeMissing(word: string, {what, taken}: Listed, rows: readonly Row[]): string[] {
  const wanted = fold(word)
  const id = parseId(word)
  if (rows.some(row => fold(String(row[taken])) === wanted || (id !== undefined && row.id === id))) return []
  const called = rows.find(row => fold(nameOf(row)) === wanted)
  const names = called ? [] : rows.map(row => String(row[taken]))
  const guess = called ? ` Did you mean "${called[taken]}"?` : suggestNearest(word, names)
  return [`The shop has no ${what} "${word}".${guess}`]
}

/** In the language of the answer. */
function nameOf({name, translated}: Row): string {
  return String((translated as {name?: unknown} | undefined)?.name ?? name)
}
