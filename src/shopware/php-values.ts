/** JSON values as PHP sees them: objects and lists are both arrays, and some values count as empty. */

export function isArray(value: unknown): value is Record<string, unknown> | unknown[] {
  return typeof value === 'object' && value !== null
}

/** Whether an array's keys are 0 … n−1 in order, which is possible for an object as well. */
export function isList(value: unknown): value is Record<string, unknown> | unknown[] {
  if (Array.isArray(value)) return true
  return isArray(value) && Object.keys(value).every((key, index) => key === String(index))
}

/** Whether PHP turns a key into a whole number. */
export function isIntegerKey(name: string): boolean {
  return /^(?:0|-?[1-9]\d{0,17})$/.test(name)
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

/** `is_numeric()`: numbers, and numeric texts, spaces around them included. */
export function isNumeric(value: unknown): value is number | string {
  if (typeof value === 'number') return true
  return typeof value === 'string' && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
}

/** `(int)`: for a text, the number at its beginning. */
export function convertToInteger(value: unknown): number {
  if (isArray(value)) return isEmpty(value) ? 0 : 1
  if (typeof value === 'boolean') return Number(value)
  const [digits] = /^\s*[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?/i.exec(convertToText(value)) ?? ['0']
  return Math.trunc(Number(digits)) + 0
}

/** A value converted to text. */
export function convertToText(value: unknown): string {
  if (value === true) return '1'
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'number') return formatNumber(value)
  return typeof value === 'object' ? 'Array' : String(value)
}

/** As PHP writes it: at most 17 digits, and an exponent where there are more before the decimal point. */
function formatNumber(value: number): string {
  if (Number.isInteger(value) ? isWhole(value) : Math.abs(value) >= 1e-4 && Math.abs(value) < 1e15)
    return String(value)
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  return `${mantissa.includes('../shop/search/criteria') ? mantissa : `${mantissa}.0`}E${exponent}`
}

/** Whether a number is a PHP integer, of 64 bits. */
function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63
}

/** PHP's name for a value's type in its type errors. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'object') return 'array'
  if (typeof value === 'number') return isWhole(value) ? 'int' : 'float'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** A value as in a response: an object with the keys of a list, or with none, becomes a list. */
export function normalizeArrays(value: unknown): unknown {
  if (!isArray(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, normalizeArrays(member)] as const)
  return isList(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** `print_r()` of a JSON value. @param depth indentation inside another array, in spaces */
export function printArray(value: unknown, depth = 0): string {
  if (!isArray(value)) return convertToText(value)
  const blanks = ' '.repeat(depth)
  const members = Object.entries(value).map(([key, member]) => {
    const end = isArray(member) ? '\n' : ''
    return `${blanks}    [${key}] => ${printArray(member, depth + 8)}${end}\n`
  })
  return `Array\n${blanks}(\n${members.join('')}${blanks})\n`
}
