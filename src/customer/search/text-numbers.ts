import {StorectlError} from '../../errors.js'
import {type CriteriaFilter, LARGEST_PAGE} from '../criteria/criteria.js'
import type {WhyNoneDeps} from './explain-empty.js'

const CUSTOM_FIELD = /(?:^|\.)customFields\.(.+)$/

/** The types by which a shop compares a custom field as a number. */
const NUMBERS = ['int', 'float']

/**
 * A warning where filters compare custom fields with numbers that the shop does not define as such: it compares text
 * then. Costs one request, and none without such a filter.
 *
 * @see real-shop.md R13
 */
export async function explainTextNumbers(
  filters: readonly CriteriaFilter[],
  {api, signal}: WhyNoneDeps,
): Promise<string | undefined> {
  const names = [...new Set(listNumberRanges(filters))]
  if (names.length === 0) return undefined
  const asked = {filter: [{type: 'equalsAny' as const, field: 'name', value: names}], limit: LARGEST_PAGE}
  try {
    const rows = await api.list('custom-field', asked, signal)
    const defined = new Set(rows.filter(({type}) => NUMBERS.includes(type as string)).map(({name}) => name))
    const others = names.filter(name => !defined.has(name)).map(name => `customFields.${name}`)
    if (others.length === 0) return undefined
    return `The shop has no definition of ${others.join(', ')} as a number, so it compares text: "20" is more than 100.`
  } catch (error) {
    if (!(error instanceof StorectlError)) throw error
    const paths = names.map(name => `customFields.${name}`).join(', ')
    return `A shop that does not define ${paths} as a number compares text: "20" is more than 100. Could not fetch its definitions: ${error.message}`
  }
}

function listNumberRanges(filters: readonly CriteriaFilter[]): string[] {
  return filters.flatMap(filter => {
    if ('queries' in filter) return listNumberRanges(filter.queries ?? [])
    if (filter.type !== 'range') return []
    const [, name] = CUSTOM_FIELD.exec(filter.field) ?? []
    const isNumber = Object.values(filter.parameters ?? {}).some(bound => typeof bound === 'number')
    return name !== undefined && isNumber ? [name] : []
  })
}
