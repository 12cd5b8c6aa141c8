import type {MemberRule, Struct} from './structures.js'

/**
 * The payload cannot be laid onto the receiver's structures: the shop answers 500 with this text.
 *
 * @see protocol.md §4.3
 */
export class MappingError extends Error {
  override readonly name = 'MappingError'
}

/** Members by their camelCase names, only those that the structure knows and the payload fills. */
export type Assigned = {readonly [member: string]: unknown}

const CALLED_IN =
  'called in /var/www/html/custom/plugins/SwagPayPal/src/RestApi/PayPalApiStruct.php on line 41'
const NAME_CONVERTER = 'Symfony\\Component\\Serializer\\NameConverter\\CamelCaseToSnakeCaseNameConverter'

/**
 * Lays a decoded payload onto a structure as the receiver does: snake_case and camelCase names alike, unknown
 * members ignored, `null` and everything empty skipped, the last of two names for one member wins.
 *
 * @throws MappingError where a type does not fit or a text is too long
 * @see protocol.md §4.3
 */
export function assign(struct: Struct, payload: object): Assigned {
  const assigned: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(payload)) {
    if (isListIndex(key, payload)) throw new MappingError(indexText())
    const member = convertToMemberName(key)
    const rule = Object.hasOwn(struct.members, member) ? struct.members[member] : undefined
    if (rule === undefined || isSkipped(value)) continue
    assigned[member] = take(struct, member, rule, value)
  }
  return assigned
}

/** `final_capture` and `finalCapture` are one name. */
function convertToMemberName(key: string): string {
  if (/^[a-z][a-zA-Z]*$/.test(key)) return key
  if (/^[a-z]+(?:_[a-z]+)+$/.test(key)) return removeUnderscores(key)
  const camel = key.replace(
    /(^|_|\.)+(.)/gu,
    (_all, mark, letter) => (mark === '.' ? '_' : '') + letter.toUpperCase(),
  )
  return camel.charAt(0).toLowerCase() + camel.slice(1)
}

/** What nearly all names look like, for less than any other way costs. */
function removeUnderscores(key: string): string {
  let camel = ''
  let from = 0
  for (let at = key.indexOf('_'); at >= 0; at = key.indexOf('_', from)) {
    camel += key.slice(from, at) + key.charAt(at + 1).toUpperCase()
    from = at + 2
  }
  return camel + key.slice(from)
}

function isSkipped(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value == null
  for (const _name in value) return false
  return true
}

/** A list, or an object whose name is a whole number: both arrive as integer keys, which no member has. */
function isListIndex(key: string, payload: object): boolean {
  return Array.isArray(payload) || /^(0|-?[1-9]\d{0,17})$/.test(key)
}

function take(struct: Struct, member: string, rule: MemberRule, value: unknown): unknown {
  if (rule.type === 'struct') return takeStruct(struct, member, rule.struct, value)
  if (rule.type === 'structs') return takeStructs(struct, member, rule.struct, value)
  // The receiver does not tell lists from maps.
  if (rule.type === 'array')
    return typeof value === 'object' ? value : refuseType(struct, member, 'array', value)
  if (rule.type === 'bool')
    return typeof value === 'boolean' ? value : refuseType(struct, member, 'bool', value)
  if (typeof value !== 'string')
    return refuseType(struct, member, rule.nullable ? '?string' : 'string', value)
  if (rule.maxLength !== undefined && isLonger(value, rule.maxLength))
    refuseTooLong(struct, member, rule.maxLength)
  return value
}

function takeStruct(outer: Struct, member: string, inner: Struct, value: unknown): Assigned {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuseType(outer, member, inner.className, value)
  }
  return assign(inner, value)
}

function takeStructs(outer: Struct, member: string, inner: Struct, value: unknown): readonly Assigned[] {
  if (typeof value !== 'object' || value === null) return refuseType(outer, member, 'array', value)
  return Object.values(value).map(one => {
    if (typeof one !== 'object' || one === null) throw new MappingError(itemText(one))
    return assign(inner, one)
  })
}

/** In characters, of which there are no more than UTF-16 units. */
function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength && [...text].length > maxLength
}

function refuseTooLong(struct: Struct, member: string, maxLength: number): never {
  throw new MappingError(`${struct.className}::$${member} must not be longer than ${maxLength} characters`)
}

/**
 * Refuses a value with the text of the receiver's own type error.
 *
 * @param expected the type as the receiver names it
 */
export function refuseType(struct: Struct, member: string, expected: string, value: unknown): never {
  const setter = `${struct.className}::set${member.charAt(0).toUpperCase()}${member.slice(1)}()`
  const given = getTypeName(value)
  throw new MappingError(
    `${setter}: Argument #1 ($${member}) must be of type ${expected}, ${given} given, ${CALLED_IN}`,
  )
}

function indexText(): string {
  return `${NAME_CONVERTER}::denormalize(): Argument #1 ($propertyName) must be of type string, int given, ${CALLED_IN}`
}

function itemText(item: unknown): string {
  return `Swag\\PayPal\\RestApi\\PayPalApiStruct::assign(): Argument #1 ($arrayDataWithSnakeCaseKeys) must be of type array, ${getTypeName(item)} given, ${CALLED_IN}`
}

function getTypeName(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'array'
}

/** The text of reading a member that the payload did not fill. @see protocol.md §4.3, §4.4 */
export function formatUninitialised(className: string, member: string): string {
  return `Typed property ${className}::$${member} must not be accessed before initialization`
}
