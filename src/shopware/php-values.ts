/** JSON values as PHP sees them: objects and lists are both arrays, and some values are as good as none. */

export function isArray(value: unknown): value is Record<string, unknown> | unknown[] {
  return typeof value === 'object' && value !== null
}

/** Whether an array's keys are 0 … n−1 in order, which those of an object may be as well. */
export function isList(value: unknown): value is Record<string, unknown> | unknown[] {
  if (Array.isArray(value)) return true
  return isArray(value) && Object.keys(value).every((key, index) => key === String(index))
}

/** Whether a name is a whole number, which PHP makes of such names. */
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

/** `is_numeric()`: numbers, and texts that are one but for spaces around. */
export function isNumeric(value: unknown): value is number | string {
  if (typeof value === 'number') return true
  return typeof value === 'string' && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
}

/** `(int)`: of a text the number that it begins with. */
export function convertToInteger(value: unknown): number {
  if (isArray(value)) return isEmpty(value) ? 0 : 1
  if (typeof value === 'boolean') return Number(value)
  const [digits] = /^\s*[+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?/i.exec(convertToText(value)) ?? ['0']
  return Math.trunc(Number(digits)) + 0
}

/** How a value reads when it is made part of a text. */
export function convertToText(value: unknown): string {
  if (value === true) return '1'
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'number') return formatNumber(value)
  return typeof value === 'object' ? 'Array' : String(value)
}

/** As PHP writes it: 17 digits at most, and an exponent where there are more in front of the point. */
function formatNumber(value: number): string {
  if (Number.isInteger(value) ? isWhole(value) : Math.abs(value) >= 1e-4 && Math.abs(value) < 1e15)
    return String(value)
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  return `${mantissa.includes('../shop/search/criteria') ? mantissa : `${mantissa}.0`}E${exponent}`
}

/** Whether a number is one of PHP's whole numbers, of which there are 2⁶⁴. */
function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63
}

/** What PHP calls the type of a value in the texts of its type errors. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'object') return 'array'
  if (typeof value === 'number') return isWhole(value) ? 'int' : 'float'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** A value as it comes back in an answer: what has the keys of a list is one, and so is what has none. */
export function normalizeArrays(value: unknown): unknown {
  if (!isArray(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, normalizeArrays(member)] as const)
  return isList(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** `print_r()` of what JSON can hold. @param depth blanks in front of what stands inside another array */
export function printArray(value: unknown, depth = 0): string {
  if (!isArray(value)) return convertToText(value)
  const blanks = ' '.repeat(depth)
  const members = Object.entries(value).map(([key, member]) => {
    const end = isArray(member) ? '\n' : ''
    return `${blanks}    [${key}] => ${printArray(member, depth + 8)}${end}\n`
  })
  return `Array\n${blanks}(\n${members.join('')}${blanks})\n`
}
