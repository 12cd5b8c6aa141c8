import {createVerify, type KeyObject, publicDecrypt} from 'node:crypto'
import type {SignatureDefinition} from '../../providers/provider.js'
import {PROVIDERS} from '../../providers/providers.js'
import {computeCrc32, formatSignedMessage} from '../../wire/signed-message.js'
import type {Headers} from '../event/headers.js'

/** What the provider sends with a body to sign it. @see protocol.md §4.7 */
export interface SignatureHeaders {
  readonly transmissionId: string
  /** ISO 8601 as it was sent: it is signed. */
  readonly transmissionTime: string
  /** Base64. */
  readonly signature: string
  readonly certificateUrl: string
  readonly algorithm: string
}

/** Longer headers are not the provider's. */
const LONGEST_HEADER = 4096

/** @returns `undefined` if one is missing, or came with several values */
export function readSignatureHeaders(headers: Headers): SignatureHeaders | undefined {
  for (const {signature} of PROVIDERS.values()) {
    const found = signature && readNamedHeaders(headers, signature.headers)
    if (found) return found
  }
  return undefined
}

function readNamedHeaders(
  headers: Headers,
  names: SignatureDefinition['headers'],
): SignatureHeaders | undefined {
  const found: Partial<Record<keyof SignatureHeaders, string>> = {}
  for (const [member, name] of Object.entries(names) as [keyof SignatureHeaders, string][]) {
    const values = new Set(headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value))
    const [value = ''] = values
    if (values.size !== 1 || value === '' || value.length > LONGEST_HEADER) return undefined
    found[member] = value
  }
  return found as SignatureHeaders
}

/**
 * - `verified`: the provider signed this body for one of the webhook ids
 * - `not-signed`: the key never made such a signature
 * - `no-match`: the key made it, but for something else: another webhook id, or another body
 */
export type SignatureMatch = 'verified' | 'not-signed' | 'no-match'

/**
 * Compares a signature with a body. The signature covers only the CRC-32 of the body, so a body built to the same CRC-32
 * passes.
 *
 * @param key of the provider's certificate
 * @param webhookIds the shop's present and earlier ones at the provider
 * @see protocol.md §4.7
 */
export function matchSignature(
  {transmissionId, transmissionTime, signature}: SignatureHeaders,
  body: Uint8Array,
  key: KeyObject,
  webhookIds: readonly string[],
): SignatureMatch {
  const bytes = Buffer.from(signature, 'base64')
  if (!isMadeWith(key, bytes)) return 'not-signed'
  const transmission = {id: transmissionId, time: transmissionTime, checksum: computeCrc32(body)}
  const isMatch = webhookIds.some(webhookId =>
    createVerify('sha256').update(formatSignedMessage(transmission, webhookId)).verify(key, bytes),
  )
  return isMatch ? 'verified' : 'no-match'
}

/** What precedes the hash in a signature with SHA-256. @see RFC 8017 §9.2, note 1 */
const SHA256_PREFIX = Buffer.from('3031300d060960864801650304020105000420', 'hex')
const HASH_BYTES = 32

/** Whether the key made the signature for anything: only the owner of the private key can make padding and prefix. */
function isMadeWith(key: KeyObject, signature: Buffer): boolean {
  try {
    const opened = publicDecrypt(key, signature)
    return (
      opened.length === SHA256_PREFIX.length + HASH_BYTES &&
      opened.subarray(0, SHA256_PREFIX.length).equals(SHA256_PREFIX)
    )
  } catch {
    return false
  }
}
