import {JsonRows} from '../../output/json/json-rows.js'
import type {Batch} from '../../output/print.js'
import type {Row} from '../../output/view.js'
import {ENTITIES} from '../../shopware/entities/entities.js'

/** Members that identify a person or an address, of customers and of entities loaded with them. */
const PERSONAL = new Set([
  'firstName',
  'lastName',
  'title',
  'email',
  'username',
  'company',
  'department',
  'vatIds',
  'vatId',
  'birthday',
  'remoteAddress',
  'hash',
  'street',
  'zipcode',
  'city',
  'phoneNumber',
  'additionalAddressLine1',
  'additionalAddressLine2',
  'customFields',
  'customerComment',
  'deepLinkCode',
  'trackingCodes',
  'content',
  'payload',
])

/** Members that a shop or we add to rows, besides their fields. @see protocol.md §6.6 */
const ADDED = [
  'extensions',
  'foreignKeys',
  'search',
  '_score',
  '_uniqueIdentifier',
  'versionId',
  'translated',
  'apiAlias',
  'use',
  'recentOrders',
]

/** Known names, which are not personal unless they are in `PERSONAL`. */
const KNOWN = new Set([
  ...ADDED,
  ...ENTITIES.flatMap(({fields, associations}) => [...fields, ...associations].map(({name}) => name)),
])

/** The contents of a JSON field are the shop's own. */
const OF_SHOP = new Set(
  ENTITIES.flatMap(({fields}) => fields.filter(({kind}) => kind === 'json').map(({name}) => name)),
)

const MASK = '***'

/** Whether the field that a path leads to is personal, or one of a plugin, which may be. */
export function isPersonal(path: string): boolean {
  return path.split('.').some(name => PERSONAL.has(name) || !KNOWN.has(name))
}

/**
 * The rows with `***` for personal values that are not empty; ids, numbers, times and amounts stay. Unknown members,
 * such as fields of plugins and extensions, keep no text and no number.
 */
export async function* maskRows(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    const rows = batch instanceof JsonRows ? batch.parseRows() : batch
    yield rows.map(maskRow)
  }
}

/** One row, masked. */
export function maskRow(row: Row): Row {
  return maskInside(row) as Row
}

function maskInside(value: unknown): unknown {
  return mapMembers(value, (held, name) => {
    if (PERSONAL.has(name) || !KNOWN.has(name)) return maskValue(held)
    return OF_SHOP.has(name) ? maskShopValue(held) : maskInside(held)
  })
}

/** Names within it mean what they say, but need not be those of fields. */
function maskShopValue(value: unknown): unknown {
  return mapMembers(value, (held, name) => (PERSONAL.has(name) ? maskValue(held) : maskShopValue(held)))
}

/** Lists and objects keep their shape. */
function maskValue(value: unknown): unknown {
  if (value === null || value === '' || typeof value === 'boolean') return value
  return typeof value === 'object' ? mapMembers(value, maskValue, maskValue) : MASK
}

/** An object's members, and those of each object in a list, as `member` turns them; `single` turns what is neither. */
function mapMembers(
  value: unknown,
  member: (held: unknown, name: string) => unknown,
  single: (value: unknown) => unknown = each => mapMembers(each, member),
): unknown {
  if (Array.isArray(value)) return value.map(single)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, member(held, name)]))
}
