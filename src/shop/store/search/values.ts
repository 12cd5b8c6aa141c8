import {type RawBuilder, sql} from 'kysely'
import type {FieldScalar} from '../../../shopware/criteria.js'
import type {Field} from '../../../shopware/entity.js'
import {fold, foldInside} from '../../../shopware/fold-text.js'
import {Slot} from '../../../storage/engine/statement.js'
import {parseStoredMoment} from '../schema/columns.js'

/** A text as the shop's database compares it with a number: the number at its beginning, else 0. */
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
 * A value in the form of a field's column, for an exact comparison or a bound; a slot stays a slot.
 *
 * @param wrapped converts it to the value for comparison
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

/** A part of a value in the form of the searched column. */
export function convertToSearchable({kind}: Field, value: FieldScalar): string {
  if (kind === 'text' || kind === 'custom-fields' || kind === 'list') return foldInside(convertToText(value))
  return kind === 'id' ? convertToText(value).toLowerCase() : convertToText(value)
}

/** The value of a field as a number: for a text the number at its beginning, else 0; null stays null. */
export function buildNumericValue({
  field,
  plain,
}: {
  readonly field: Field
  readonly plain: RawBuilder<unknown>
}): RawBuilder<unknown> {
  return isNumericField(field) ? plain : sql`cast(${plain} as real)`
}
