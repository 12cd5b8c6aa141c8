import {hash, randomBytes, randomInt, scrypt, timingSafeEqual} from 'node:crypto'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const WEBHOOK_TOKEN_LENGTH = 32

/** Cost parameters of new password hashes: about 36 ms each where measured. */
const SCRYPT = {N: 16_384, r: 8, p: 1}
const HASH_BYTES = 32

/** Random characters of `[A-Za-z0-9]`. */
export function generateAlphanumeric(length: number): string {
  return Array.from({length}, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('')
}

/** The prefix of an access key tells its kind. @see protocol.md §2.1, access-key format */
export type AccessKeyPrefix = 'SWIA' | 'SWUA' | 'SWSC' | 'SWPE'

/** The prefix and 22 of `[A-Z0-9]`. @see protocol.md §2.1, access-key format */
export function generateAccessKey(prefix: AccessKeyPrefix): string {
  return prefix + removeBase64Padding(generateAlphanumeric(16)).toUpperCase()
}

/** 51 characters of `[A-Za-z0-9]`. @see protocol.md §2.1 */
export function generateSecret(): string {
  return removeBase64Padding(generateAlphanumeric(38))
}

/** 32 characters of `[A-Za-z0-9]`. @see protocol.md §4.1 */
export function generateWebhookToken(): string {
  return generateAlphanumeric(WEBHOOK_TOKEN_LENGTH)
}

/** Opaque to callers; same beginning and length as the shop's. @see protocol.md §2.4 */
export function generateRefreshToken(): string {
  return `def50200${randomBytes(410).toString('hex')}`
}

/** SHA-256 in hex: enough for secrets that are long and random. */
export function hashOfSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Constant-time comparison of two hex texts. */
export function areHashesEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64. */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, SCRYPT)
  return ['scrypt', SCRYPT.N, SCRYPT.r, SCRYPT.p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** Whether a password matches a hash. An unreadable hash matches none. */
export async function isPassword(password: string, hashed: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hashed.split('$')
  if (scheme !== 'scrypt' || !salt || !key) return false
  const cost = {N: Number(N), r: Number(r), p: Number(p)}
  const derived = await derive(password, Buffer.from(salt, 'base64'), cost)
  return timingSafeEqual(derived, Buffer.from(key, 'base64'))
}

/** Spends the time of a wrong password on an unknown user name, so that existing names cannot be detected. */
export async function simulatePasswordCheck(password: string): Promise<void> {
  await derive(password, Buffer.alloc(16), SCRYPT)
}

function derive(password: string, salt: Buffer, cost: typeof SCRYPT): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

function removeBase64Padding(text: string): string {
  return Buffer.from(text)
    .toString('base64')
    .replace(/={1,2}$/, '')
}
