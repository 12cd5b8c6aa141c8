import type {MemberRule, Struct} from './member-rules.js'

/**
 * The payload cannot be mapped to the receiver's structures: the shop responds 500 with this text.
 *
 * @see protocol.md §4.3
 */
export class MappingError extends Error {
  override readonly name = 'MappingError'
}

/** Members by camelCase name: those that are in both the structure and the payload. */
export type Assigned = {readonly [member: string]: unknown}

const CALLED_IN =
  'called in /var/www/html/custom/plugins/SwagPayPal/src/RestApi/PayPalApiStruct.php on line 41'
const NAME_CONVERTER = 'Symfony\\Component\\Serializer\\NameConverter\\CamelCaseToSnakeCaseNameConverter'

/**
 * Maps a decoded payload to a structure as the receiver does: snake_case and camelCase names alike, unknown members
 * ignored, `null` and everything empty skipped, of two names for one member the last wins.
 *
 * @throws MappingError where a type does not fit or a text is too long
 * @see protocol.md §4.3
 */
export function assign(struct: Struct, payload: object): Assigned {
  const assigned: Record<string, unknown> = {}
  const usual = getUsualSpellings(struct)
  for (const key of Object.keys(payload)) {
    const value = (payload as Record<string, unknown>)[key]
    if (isSkipped(value)) continue
    const known = usual.get(key)
    if (known !== undefined) {
      assigned[known] = take(struct, known, struct.members[known] as MemberRule, value)
      continue
    }
    if (isListIndex(key, payload)) throw new MappingError(indexText())
    const written = convertToMemberName(key)
    const member = findMember(struct, written)
    if (member === undefined) continue
    const rule = struct.members[member] as MemberRule
    // Method names are case-insensitive, but the properties that determine a structure's class are not.
    if (member !== written && typeof value === 'object')
      throw new MappingError(`Property ${struct.className}::$${written} does not exist`)
    assigned[member] = take(struct, member, rule, value)
  }
  return assigned
}

/** Members by the two spellings in nearly every payload: `finalCapture` and `final_capture`. */
function getUsualSpellings(struct: Struct): ReadonlyMap<string, string> {
  const known = USUAL_SPELLINGS.get(struct)
  if (known) return known
  const members = Object.keys(struct.members)
  const pairs = members.flatMap(member =>
    [member, member.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)]
      .filter(name => convertToMemberName(name) === member)
      .map(name => [name, member] as const),
  )
  const spellings = new Map(pairs)
  USUAL_SPELLINGS.set(struct, spellings)
  return spellings
}

/** Structures are constants, and so are their spellings. */
const USUAL_SPELLINGS = new WeakMap<Struct, ReadonlyMap<string, string>>()

/** The member for a name in the payload; most names need no conversion. */
function findMember({members}: Struct, written: string): string | undefined {
  if (Object.hasOwn(members, written)) return written
  const folded = written.toLowerCase()
  for (const member in members)
    if (member.length === folded.length && member.toLowerCase() === folded) return member
  return undefined
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

/** The fastest way for nearly all names. */
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

/** A list, or an object whose name is a whole number: PHP sees integer keys in both, and no member has one. */
function isListIndex(key: string, payload: object): boolean {
  return Array.isArray(payload) || /^(0|-?[1-9]\d{0,17})$/.test(key)
}

function take(struct: Struct, member: string, rule: MemberRule, value: unknown): unknown {
  if (rule.type === 'struct') return takeStruct(struct, member, rule, value)
  if (rule.type === 'structs') return takeStructs(struct, member, rule, value)
  // The receiver does not distinguish lists from maps.
  if (rule.type === 'array')
    return typeof value === 'object' ? value : refuseType(struct, member, 'array', value)
  if (rule.type === 'bool')
    return typeof value === 'boolean' ? value : refuseType(struct, member, 'bool', value)
  if (typeof value !== 'string')
    return refuseType(struct, member, rule.nullable ? '?string' : 'string', value)
  if (rule.maxLength !== undefined && isLonger(value, rule.maxLength)) refuseTooLong(struct, rule.maxLength)
  return value
}

function takeStruct(
  outer: Struct,
  member: string,
  {struct: inner, nullable}: Extract<MemberRule, {type: 'struct'}>,
  value: unknown,
): Assigned {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuseType(outer, member, `${nullable ? '?' : ''}${inner.className}`, value)
  }
  return assign(inner, value)
}

/** The items of a list or map that are truthy in PHP. */
function takeStructs(
  outer: Struct,
  member: string,
  {struct, collection}: Extract<MemberRule, {type: 'structs'}>,
  value: unknown,
): readonly Assigned[] {
  if (typeof value !== 'object' || value === null) return refuseType(outer, member, collection, value)
  return Object.values(value)
    .filter(one => !isFalsy(one))
    .map(one => (typeof one === 'object' && one !== null ? assign(struct, one) : refuseItem(one)))
}

/** Whether a value is falsy in PHP. */
function isFalsy(value: unknown): boolean {
  return isSkipped(value) || value === false || value === 0 || value === '' || value === '0'
}

/** Counts characters only where there are enough UTF-16 units. */
function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength && [...text].length > maxLength
}

function refuseTooLong(struct: Struct, maxLength: number): never {
  // The receiver names the same member for every text that is too long.
  throw new MappingError(`${struct.className}::$invoiceId must not be longer than ${maxLength} characters`)
}

/**
 * Refuses a value with the text of the receiver's own type error.
 *
 * @param expected the type as the receiver names it
 */
function refuseType(struct: Struct, member: string, expected: string, value: unknown): never {
  const className = struct.members[member]?.declaredBy ?? struct.className
  const setter = `${className}::set${member.charAt(0).toUpperCase()}${member.slice(1)}()`
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

/**
 * Refuses a value that is neither a list nor an object, for a structure.
 *
 * @throws MappingError always
 */
export function refuseItem(value: unknown): never {
  throw new MappingError(itemText(value))
}

/** PHP's error for reading a member that the payload did not fill. @see protocol.md §4.3, §4.4 */
export function formatUninitialised(className: string, member: string): string {
  return `Typed property ${className}::$${member} must not be accessed before initialization`
}
