import {JsonRows} from '../output/json-rows.js'
import type {Batch} from '../output/print.js'
import type {Row} from '../output/view.js'

/** Members that tell who somebody is or where they live, of customers and of whatever is loaded with them. */
const PERSONAL = new Set([
  'firstName',
  'lastName',
  'title',
  'email',
  'username',
  'company',
  'department',
  'vatIds',
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
])

const MASK = '***'

/** Whether the field that a path ends with is personal. */
export function isPersonal(path: string): boolean {
  return path.split('.').some(name => PERSONAL.has(name))
}

/** The rows with `***` for whatever is personal and not empty; ids, numbers, times and amounts stay. */
export async function* maskedRows(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    const rows = batch instanceof JsonRows ? batch.rows() : batch
    yield rows.map(masked)
  }
}

/** One row, masked. */
export function masked(row: Row): Row {
  return inside(row) as Row
}

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      PERSONAL.has(name) ? maskedValue(held) : inside(held),
    ]),
  )
}

/** Lists and objects keep their shape. */
function maskedValue(value: unknown): unknown {
  if (value === null || value === '') return value
  if (Array.isArray(value)) return value.map(maskedValue)
  if (typeof value !== 'object') return MASK
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, maskedValue(held)]))
}
