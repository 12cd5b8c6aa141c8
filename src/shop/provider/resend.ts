import {createHash, randomBytes, randomUUID} from 'node:crypto'
import {request as httpRequest} from 'node:http'
import {request as httpsRequest} from 'node:https'
import type {ShopRequest} from '../http/route.js'
import {WEBHOOK_TOKEN_KEY} from '../rules/webhook-registration.js'
import type {ShopRuntime} from '../runtime/runtime.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {readConfig, readConfigBelow} from '../store/schema/system-config.js'
import type {BookedEvent} from './provider.js'

/** Keys that the provider's webhooks are kept under, by their ids. */
const WEBHOOKS = 'storectl.providerWebhook.'
const PATIENCE_MS = 30_000

/** A webhook that the provider sends notifications to. */
interface Webhook {
  readonly id: string
  readonly url: string
}

/**
 * Where the provider sends notifications: to the webhooks that are registered, or, where none is, to the shop itself.
 *
 * @param wanted ids of webhooks; empty for all
 * @returns `undefined` when one of the ids is not known
 */
export async function findReceivers(
  reads: ShopConnection,
  wanted: readonly string[],
  {origin}: Pick<ShopRequest, 'origin'>,
  {provider, tokenPrefix}: Pick<ShopRuntime, 'provider' | 'tokenPrefix'>,
): Promise<string[] | undefined> {
  const rows = await readConfigBelow(reads, WEBHOOKS)
  const known = rows.map(({key, value}): Webhook => ({id: key.slice(WEBHOOKS.length), url: value}))
  if (wanted.some(id => !known.some(webhook => webhook.id === id))) return undefined
  const meant = wanted.length === 0 ? known : known.filter(({id}) => wanted.includes(id))
  if (meant.length > 0) return meant.map(({url}) => replaceScheme(url, origin))
  const token = (await readConfig(reads, WEBHOOK_TOKEN_KEY)) ?? ''
  return [`${origin}/api/_action/${provider}/webhook/execute?${tokenPrefix}-token=${token}`]
}

/** The shop registers https, as it must, though the bundled one speaks http. */
function replaceScheme(url: string, origin: string): string {
  return url.startsWith(`${origin.replace(/^http:/, 'https:')}/`) ? url.replace(/^https:/, 'http:') : url
}

/** Sends an event as the provider does, once, and does not care what is answered. */
export function deliver({event}: BookedEvent, url: string, now: Date): Promise<void> {
  const body = Buffer.from(JSON.stringify(event))
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise(resolve => {
    const request = send(
      url,
      {method: 'POST', headers: buildProviderHeaders(body, now), timeout: PATIENCE_MS},
      answer => {
        answer.resume()
        answer.once('close', resolve)
      },
    )
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve())
    request.end(body)
  })
}

/** What the provider sends along; nobody can check the signature, as nobody has a certificate of ours. */
function buildProviderHeaders(body: Buffer, now: Date): Record<string, string | number> {
  const certificate = createHash('sha256').update('storectl').digest('hex').slice(0, 8)
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'content-length': body.length,
    'user-agent': 'PayPal/AUHD-214.0-58843665',
    'correlation-id': randomBytes(7).toString('hex').slice(0, 13),
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-auth-version': 'v2',
    'paypal-cert-url': `https://api.paypal.com/v1/notifications/certs/CERT-${certificate}`,
    'paypal-transmission-id': randomUUID(),
    'paypal-transmission-sig': randomBytes(256).toString('base64'),
    'paypal-transmission-time': `${now.toISOString().slice(0, 19)}Z`,
  }
}
