/** JSON values as PHP sees them: objects and lists are both arrays, and some values are as good as none. */

export function isArray(value: unknown): value is Record<string, unknown> | unknown[] {
  return typeof value === 'object' && value !== null
}

/** Whether an array's keys are 0 … n−1 in order, which those of an object may be as well. */
export function isList(value: unknown): value is Record<string, unknown> | unknown[] {
  if (Array.isArray(value)) return true
  return isArray(value) && Object.keys(value).every((key, index) => key === String(index))
}

export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** `empty()`: null, false, 0, "", "0" and arrays without members. */
export function isEmpty(value: unknown): boolean {
  if (isArray(value)) return Object.keys(value).length === 0
  return (
    value === undefined || value === null || value === false || value === 0 || value === '' || value === '0'
  )
}

/** `is_numeric()`: numbers, and texts that are one but for spaces around. */
export function isNumeric(value: unknown): value is number | string {
  if (typeof value === 'number') return true
  return typeof value === 'string' && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
}

/** How a scalar reads when it is made part of a text. */
export function convertToText(value: unknown): string {
  if (value === true) return '1'
  if (value === false || value === null || value === undefined) return ''
  return typeof value === 'object' ? 'Array' : String(value)
}

/** What PHP calls the type of a value in the texts of its type errors. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'object') return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** `print_r()` of a list of scalars or of an empty array. */
export function printList(value: unknown): string {
  if (!isArray(value)) return convertToText(value)
  const members = Object.entries(value).map(([key, member]) => `    [${key}] => ${convertToText(member)}\n`)
  return `Array\n(\n${members.join('')})\n`
}
