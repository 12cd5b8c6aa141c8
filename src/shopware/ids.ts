import {createHash, randomUUID} from 'node:crypto'

/** The shop's fixed ids that callers rely on. @see protocol.md §1.6 */
export const LIVE_VERSION_ID = '0fa91ce3e96a4bc2be4bd9ce752c3425'
export const SYSTEM_LANGUAGE_ID = '2fbb5fe2e29a4d70aa5854ce7ce3e20b'
export const SYSTEM_CURRENCY_ID = 'b7d2554b0ce847cd82f3ac9bd1c0dfca'

const ID = /^[0-9a-f]{32}$/i

/** Whether a value is an id, in digits of either case. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

/** Whether a value is an id in lower-case digits, as stored: where ids are compared as text, no other form matches. */
export function isPlainId(value: unknown): value is string {
  return isId(value) && value === value.toLowerCase()
}

/**
 * A new id: UUIDv7 without dashes, so that later ids sort after earlier ones.
 *
 * @param at the time whose milliseconds begin the id
 * @param random 10 bytes; set by tests and seeds only
 * @see RFC 9562 §5.7
 */
export function generateId(at: Date, random?: Uint8Array): string {
  const digits = random ? Buffer.from(random).toString('hex') : drawRandomDigits()
  const variant = (0x8 | (Number.parseInt(digits[3] as string, 16) & 0x3)).toString(16)
  return `${at.getTime().toString(16).padStart(12, '0')}7${digits.slice(0, 3)}${variant}${digits.slice(4, 19)}`
}

/** 20 of a random UUID's 30 digits: Node buffers random data for many UUIDs, but not for `randomBytes`. */
function drawRandomDigits(): string {
  const uuid = randomUUID()
  return uuid.slice(0, 8) + uuid.slice(24)
}

/**
 * The same id for the same words in every shop: for a new shop's first rows, and for seeds.
 *
 * @param words what the id is for, from the general to the particular: `state`, `order.state`, `open`
 */
export function deriveFixedId(...words: string[]): string {
  const digits = createHash('sha256').update(words.join('\u0000')).digest('hex')
  return `${digits.slice(0, 12)}7${digits.slice(12, 15)}8${digits.slice(15, 30)}`
}

/** The salutation of customers who gave none, `deriveFixedId('salutation', 'not_specified')`: a hash costs every search 3 ms. */
export const DEFAULT_SALUTATION_ID = '1db24014d7d979f38f9ce82b34dc90a4'
