import {
  createPrivateKey,
  createSign,
  createVerify,
  randomBytes,
  randomUUID,
  X509Certificate,
} from 'node:crypto'
import {computeCrc32, formatSignedMessage, SIGNATURE_ALGORITHM} from '../../../wire/signed-message.js'
import type {ProviderIdentity} from './identity.js'

/** The webhook id for events to an unregistered webhook. @see protocol.md §4.7 */
export const NO_WEBHOOK = 'WEBHOOK_ID'

/** A message to sign. */
export interface Outgoing {
  readonly body: Uint8Array
  /** Webhook id of the receiver. */
  readonly webhookId: string
  /** Base URL of the provider's API, where the certificate is. */
  readonly api: string
  readonly at: Date
  /** Default: a new one. */
  readonly transmissionId?: string | undefined
}

/** The provider's headers of an event, including the signature. */
export function buildSignedHeaders(
  {body, webhookId, api, at, transmissionId}: Outgoing,
  {privateKey, certificateId}: Pick<ProviderIdentity, 'privateKey' | 'certificateId'>,
): Record<string, string> {
  const transmission = {
    id: transmissionId ?? randomUUID(),
    time: `${at.toISOString().slice(0, 19)}Z`,
    checksum: computeCrc32(body),
  }
  const signature = createSign('sha256')
    .update(formatSignedMessage(transmission, webhookId))
    .sign(createPrivateKey(privateKey), 'base64')
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'PayPal/AUHD-214.0-58843665',
    'correlation-id': randomBytes(7).toString('hex').slice(0, 13),
    'paypal-auth-algo': SIGNATURE_ALGORITHM,
    'paypal-auth-version': 'v2',
    'paypal-cert-url': `${api}/v1/notifications/certs/${certificateId}`,
    'paypal-transmission-id': transmission.id,
    'paypal-transmission-sig': signature,
    'paypal-transmission-time': transmission.time,
  }
}

/** Members of a signature verification request. @see protocol.md §4.7 */
const MEMBERS = ['transmission_id', 'transmission_time', 'webhook_id', 'transmission_sig'] as const

/** Whether the provider has signed the event in a verification request. @param body the bytes of the request */
export function isSigned(
  body: Uint8Array,
  {certificate}: Pick<ProviderIdentity, 'certificate'>,
): boolean | undefined {
  const text = Buffer.from(body).toString('utf8')
  const event = text.indexOf(EVENT_MEMBER)
  const request = parseObject(text)
  const [id, time, webhookId, signature] = MEMBERS.map(name => request?.[name])
  if (event < 0 || [id, time, webhookId, signature].some(each => typeof each !== 'string')) return undefined
  const raw = text.slice(event + EVENT_MEMBER.length, text.lastIndexOf('}'))
  const transmission = {id: id as string, time: time as string, checksum: computeCrc32(Buffer.from(raw))}
  return createVerify('sha256')
    .update(formatSignedMessage(transmission, webhookId as string))
    .verify(new X509Certificate(certificate).publicKey, signature as string, 'base64')
}

/** The event is the last member; its exact bytes are verified. */
const EVENT_MEMBER = '"webhook_event":'

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
