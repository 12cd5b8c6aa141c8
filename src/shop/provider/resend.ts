import {request as httpRequest} from 'node:http'
import {request as httpsRequest} from 'node:https'
import type {ShopRequest} from '../http/route.js'
import {WEBHOOK_TOKEN_KEY} from '../rules/webhook-tokens.js'
import type {ShopRuntime} from '../runtime/runtime.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {readConfig, readConfigBelow} from '../store/schema/system-config.js'
import type {ProviderIdentity} from './signing/identity.js'
import {buildSignedHeaders, NO_WEBHOOK} from './signing/sign.js'

/** Prefix of the settings with the provider's webhooks, by id. */
const WEBHOOKS = 'storectl.providerWebhook.'
const PATIENCE_MS = 30_000

/** A webhook at the provider. */
export interface Webhook {
  readonly id: string
  readonly url: string
}

/** All registered webhooks. */
export async function listWebhooks(reads: ShopConnection): Promise<Webhook[]> {
  const rows = await readConfigBelow(reads, WEBHOOKS)
  return rows.map(({key, value}) => ({id: key.slice(WEBHOOKS.length), url: value}))
}

/**
 * The receivers of notifications: the registered webhooks, or the shop itself where there is none.
 *
 * @param wanted ids of webhooks; empty for all
 * @returns `undefined` when one of the ids is unknown
 */
export async function findReceivers(
  reads: ShopConnection,
  wanted: readonly string[],
  {origin}: Pick<ShopRequest, 'origin'>,
  {provider, tokenPrefix}: Pick<ShopRuntime, 'provider' | 'tokenPrefix'>,
): Promise<Webhook[] | undefined> {
  const known = await listWebhooks(reads)
  if (wanted.some(id => !known.some(webhook => webhook.id === id))) return undefined
  const meant = wanted.length === 0 ? known : known.filter(({id}) => wanted.includes(id))
  if (meant.length > 0) return meant.map(({id, url}) => ({id, url: replaceScheme(url, origin)}))
  const token = (await readConfig(reads, WEBHOOK_TOKEN_KEY)) ?? ''
  const url = `${origin}/api/_action/${provider}/webhook/execute?${tokenPrefix}-token=${token}`
  return [{id: NO_WEBHOOK, url}]
}

/** The shop has to register https URLs, but the bundled one is served over http. */
function replaceScheme(url: string, origin: string): string {
  return url.startsWith(`${origin.replace(/^http:/, 'https:')}/`) ? url.replace(/^https:/, 'http:') : url
}

/** The key for signing a delivery, and the location of its certificate. */
export interface SigningSender {
  readonly identity: ProviderIdentity
  /** Base URL of the provider's API. */
  readonly api: string
  readonly now: Date
  /** Id of an earlier transmission to reuse. */
  readonly transmissionId?: string | undefined
}

/** The response to a delivery; without a status where there was none. */
export interface DeliveryAnswer {
  readonly status?: number | undefined
  /** Beginning of the body, or why there is no response. */
  readonly text: string
}

/** Characters of a response that are kept. */
const KEPT = 4000

/** Sends an event like the provider, once. @param isSigned default true */
export function sendEvent(
  event: Record<string, unknown>,
  {id, url}: Webhook,
  {identity, api, now, transmissionId, isSigned = true}: SigningSender & {readonly isSigned?: boolean},
): Promise<DeliveryAnswer> {
  const body = Buffer.from(JSON.stringify(event))
  const signed = buildSignedHeaders({body, webhookId: id, api, at: now, transmissionId}, identity)
  const sent = Object.entries(signed).filter(([name]) => isSigned || !name.startsWith('paypal-'))
  const headers = {...Object.fromEntries(sent), 'content-length': body.length}
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise(resolve => {
    const request = send(url, {method: 'POST', headers, timeout: PATIENCE_MS}, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', piece => {
        if (text.length < KEPT) text += piece
      })
      answer.once('close', () => resolve({status: answer.statusCode, text: text.slice(0, KEPT)}))
    })
    request.once('timeout', () => request.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)))
    request.once('error', error => resolve({text: error.message}))
    request.end(body)
  })
}
