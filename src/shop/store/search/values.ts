import {type RawBuilder, sql} from 'kysely'
import type {FieldScalar} from '../../../shopware/criteria.js'
import type {Field} from '../../../shopware/entity.js'
import {fold, foldInside} from '../../../shopware/fold-text.js'
import {Slot} from '../../../storage/engine/statement.js'
import {parseStoredMoment} from '../schema/columns.js'

/** A number as the shop's database reads a text where it compares with one: its beginning, else 0. */
function parseLeadingNumber(value: FieldScalar): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const match = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i.exec(value)
  return match ? Number(match[0]) : 0
}

function convertToText(value: FieldScalar): string {
  if (typeof value === 'boolean') return value ? '1' : ''
  return String(value)
}

/**
 * A value as the column of a field holds it, for an exact compare or for a bound; a slot for one stays a slot.
 *
 * @param wrapped what is compared instead, made of it
 * @see protocol.md §6.3
 */
export function convertToComparable(
  field: Field,
  value: FieldScalar | Slot,
  wrapped: (stored: string | number) => string | number = stored => stored,
): string | number | Slot {
  const make = (given: FieldScalar) => wrapped(convertToColumnValue(field, given))
  return value instanceof Slot ? value.convert(make) : make(value)
}

/** Whether values of a field are numbers in the database. */
export function isNumericField({kind}: Field): boolean {
  return kind === 'int' || kind === 'bool' || kind === 'float'
}

function convertToColumnValue({kind}: Field, value: FieldScalar): string | number {
  switch (kind) {
    case 'int':
    case 'bool':
    case 'float':
      return parseLeadingNumber(value)
    case 'id':
      return convertToText(value).toLowerCase()
    case 'date':
    case 'date-time':
      return parseStoredMoment(convertToText(value))
    case 'custom-fields':
      return fold(typeof value === 'boolean' ? String(value) : convertToText(value))
    case 'json':
      return convertToText(value)
    default:
      return fold(convertToText(value))
  }
}

/** A part of a value as it stands inside the column that is searched. */
export function convertToSearchable({kind}: Field, value: FieldScalar): string {
  if (kind === 'text' || kind === 'custom-fields' || kind === 'list') return foldInside(convertToText(value))
  return kind === 'id' ? convertToText(value).toLowerCase() : convertToText(value)
}

/** The value of a field as a number: what a text begins with as one, 0 where that is none; null stays null. */
export function buildNumericValue({
  field,
  plain,
}: {
  readonly field: Field
  readonly plain: RawBuilder<unknown>
}): RawBuilder<unknown> {
  return isNumericField(field) ? plain : sql`cast(${plain} as real)`
}
