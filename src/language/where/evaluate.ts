import type {ListTest, SingleTest, Tested} from './comparison.js'
import type {FittedValue} from './value.js'

/** A value to which a condition applies; `null` for none. */
export type FieldValue = string | number | boolean | Date | null

/**
 * Whether a row meets a condition. A comparison with an empty field is false, and `not` inverts it; text is compared
 * without regard to case.
 *
 * @param read the value of a field, by its path
 */
export function meetsCondition(condition: Tested, read: (field: string) => FieldValue): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every(part => meetsCondition(part, read))
    case 'or':
      return condition.parts.some(part => meetsCondition(part, read))
    case 'not':
      return !meetsCondition(condition.part, read)
    case 'single':
      return meetsSingle(condition, read(condition.field))
    case 'list':
      return meetsList(condition, read(condition.field))
  }
}

function meetsList({operator, values}: ListTest, value: FieldValue): boolean {
  const isEqual = (wanted: FittedValue) => value !== null && fold(value) === fold(wanted)
  return operator === 'in' ? values.some(isEqual) : values.every(isEqual)
}

function meetsSingle({operator, value: wanted}: SingleTest, value: FieldValue): boolean {
  if (wanted === null) return (value === null) === (operator === '=')
  if (value === null) return operator === '!='
  const [one, other] = [fold(value), fold(wanted)]
  switch (operator) {
    case '=':
      return one === other
    case '!=':
      return one !== other
    case '<':
      return one < other
    case '<=':
      return one <= other
    case '>':
      return one > other
    case '>=':
      return one >= other
    case 'contains':
      return String(one).includes(String(other))
    case 'starts':
      return String(one).startsWith(String(other))
    case 'ends':
      return String(one).endsWith(String(other))
  }
}

function fold(value: FittedValue): string | number {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' ? value.toLowerCase() : Number(value)
}
