import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  randomInt,
} from 'node:crypto'
import {CompactSign, compactVerify} from 'jose'
import type {AccessTokenClaims} from '../../wire/schemas/token.js'
import {createAccessDeniedError} from './oauth-errors.js'

export const ACCESS_TOKEN_LIFE_SECONDS = 600
const KEY_BITS = 2048

/** Most cached valid tokens, so that each is verified once and not with every request. */
const REMEMBERED_TOKENS = 1000

/** Signs and checks access tokens with the shop's own key. */
export interface AccessTokens {
  /** A token for ten minutes. @param userId empty for an integration */
  issue(clientId: string, userId: string, scopes: readonly string[]): Promise<string>
  /** @throws ShopError 401 @see protocol.md §2.6 */
  verify(token: string): Promise<AccessTokenClaims>
}

/** A new key pair, as PEM of its private half. */
export function generateSigningKey(): Promise<string> {
  return new Promise((resolve, reject) => {
    generateKeyPair('rsa', {modulusLength: KEY_BITS}, (error, _publicKey, privateKey) => {
      if (error) reject(error)
      else resolve(privateKey.export({type: 'pkcs8', format: 'pem'}) as string)
    })
  })
}

/** @param privateKeyPem from `generateSigningKey` */
export function createAccessTokens(privateKeyPem: string, now: () => Date): AccessTokens {
  const privateKey = createPrivateKey(privateKeyPem)
  const publicKey = createPublicKey(privateKey)
  const known = new Map<string, AccessTokenClaims>()
  return {
    issue: (clientId, userId, scopes) => sign(buildClaims(clientId, userId, scopes, now()), privateKey),
    verify: async token => {
      const claims = known.get(token) ?? (await verifySignature(token, publicKey))
      const seconds = now().getTime() / 1000
      if (!(claims.nbf <= seconds && claims.iat <= seconds && seconds < claims.exp))
        throw createUnverifiableTokenError()
      if (known.size >= REMEMBERED_TOKENS) known.delete(known.keys().next().value as string)
      known.set(token, claims)
      return claims
    },
  }
}

/** Times have microseconds; ours are within the past millisecond, so that the token is valid at once. */
function buildClaims(
  clientId: string,
  userId: string,
  scopes: readonly string[],
  at: Date,
): AccessTokenClaims {
  const micros = at.getTime() * 1000 - randomInt(1000)
  const toSeconds = (offset: number) => (micros + offset * 1_000_000) / 1_000_000
  return {
    aud: clientId,
    jti: randomBytes(40).toString('hex'),
    iat: toSeconds(0),
    nbf: toSeconds(0),
    exp: toSeconds(ACCESS_TOKEN_LIFE_SECONDS),
    sub: userId,
    scopes: [...scopes],
  }
}

function sign(claims: AccessTokenClaims, key: KeyObject): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({typ: 'JWT', alg: 'RS256'})
    .sign(key)
}

async function verifySignature(token: string, key: KeyObject): Promise<AccessTokenClaims> {
  const claims = readStructure(token)
  try {
    await compactVerify(token, key, {algorithms: ['RS256']})
    return claims
  } catch {
    throw createUnverifiableTokenError()
  }
}

/** Parses a token; errors have the texts and the order of the shop's own parser. */
function readStructure(token: string): AccessTokenClaims {
  const parts = token.split('.')
  if (parts.length !== 3) throw createAccessDeniedError('The JWT string must have two dots')
  const empty = parts.indexOf('')
  if (empty >= 0)
    throw createAccessDeniedError(
      `The JWT string is missing the ${['Header', 'Claim', 'Signature'][empty]} part`,
    )
  const [header, claims, signature] = parts as [string, string, string]
  const headers = decodeJsonPart(header, 'headers')
  if ('enc' in headers) throw createAccessDeniedError('Encryption is not supported yet')
  const read = decodeJsonPart(claims, 'claims')
  decodeBytes(signature)
  return read as unknown as AccessTokenClaims
}

function decodeJsonPart(part: string, name: string): Record<string, unknown> {
  const bytes = decodeBytes(part)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw createAccessDeniedError('Error while decoding from JSON')
  }
  if (typeof value !== 'object' || value === null) throw createAccessDeniedError(`${name} must be an array`)
  return value as Record<string, unknown>
}

/** Accepts only canonical base64url: without padding, and with unused bits 0. */
function decodeBytes(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url')
  if (bytes.toString('base64url') === part) return bytes
  throw createAccessDeniedError('Error while decoding from Base64Url, invalid base64 characters detected')
}

function createUnverifiableTokenError() {
  return createAccessDeniedError('Access token could not be verified')
}
