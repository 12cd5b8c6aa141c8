import {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import {requireCapability} from '../../providers/capabilities.js'
import {fillTemplate} from '../../providers/route.js'
import type {WebhookStatus} from '../../wire/schemas/webhook.js'
import {ACCEPT, askRoute, type RouteAnswer} from './ask-route.js'

/** The webhook token in a shop's own settings. */
export type KeptToken =
  | {readonly kind: 'token'; readonly token: string}
  /** There is none. */
  | {readonly kind: 'none'}
  /** The role may not read it, or the shop does not show its settings. */
  | {readonly kind: 'hidden'; readonly why: string}

/** The registration of a shop's webhook at its payment provider. A channel of `undefined` stands for all. */
export interface RegistrationApi {
  /** @throws StorectlError as `HttpClient`, and as the shop's refusal says */
  readStatus(channel: string | undefined): Promise<WebhookStatus>
  /** @returns `created`, `updated` or `nothing`; the token is not in the answer */
  register(channel: string | undefined): Promise<string>
  /** @returns `deleted` or `nothing` */
  deregister(channel: string | undefined): Promise<string>
  /** The token in the shop's own settings; for a sales channel without one, that of all. */
  readToken(channel: string | undefined): Promise<KeptToken>
  /**
   * Whether the webhook route takes a token, asked with an empty body, which has no effect.
   *
   * @returns `undefined` if the answer does not show it
   */
  checkToken(token: string): Promise<boolean | undefined>
  /** The same, with the status of an answer that is not the webhook route's. */
  checkRoute(token: string): Promise<RouteAnswer>
}

export interface RegistrationApiDeps {
  readonly profile: {readonly provider: string; readonly tokenPrefix: string}
  readonly signed: HttpClient
  /** Signed, with retries where that is safe. */
  readonly patient: HttpClient
  readonly unsigned: HttpClient
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
  /** Called with the webhook id in the shop's settings, so that signatures can be checked with it later. */
  readonly onWebhookId?: ((webhookId: string) => Promise<void>) | undefined
}

/**
 * @throws StorectlError `usage.provider_cannot` if the shop registers no webhook at the provider
 * @see protocol.md §4.1
 */
export function createRegistrationApi(deps: RegistrationApiDeps): RegistrationApi {
  const {profile, signed, patient, unsigned, refusal} = deps
  const {path: template} = requireCapability(profile.provider, 'registration')
  const base = fillTemplate(template, profile)
  const request = async (caller: HttpClient, method: string, way: string, channel: string | undefined) => {
    const path = `${base}/${way}/${channel === undefined ? 'null' : encodeURIComponent(channel)}`
    const answer = await caller.call({method, path, headers: ACCEPT})
    const result = answer.status === 200 ? readResult(answer) : undefined
    if (result === undefined) throw refusal(answer, DOING[way] ?? way)
    return result
  }
  const checkRoute = (token: string) => askRoute(token, {profile, unsigned})
  return {
    readStatus: async channel => (await request(patient, 'GET', 'status', channel)) as WebhookStatus,
    register: channel => request(signed, 'POST', 'register', channel),
    deregister: async channel => {
      // Signatures of stored events need the id later, and the shop forgets it.
      if (deps.onWebhookId) await fetchToken(channel, deps).catch(ignoreHidden)
      return request(signed, 'DELETE', 'deregister', channel)
    },
    readToken: channel => fetchToken(channel, deps),
    checkRoute,
    checkToken: async token => (await checkRoute(token)).takesToken,
  }
}

function ignoreHidden(error: unknown): void {
  if (!(error instanceof StorectlError)) throw error
}

const DOING: Readonly<Record<string, string>> = {
  status: 'the registration check',
  register: 'the registration',
  deregister: 'the deregistration',
}

async function fetchToken(
  channel: string | undefined,
  {profile, patient, refusal, onWebhookId}: RegistrationApiDeps,
): Promise<KeptToken> {
  const {settings: domain, tokenKey, webhookIdKey} = requireCapability(profile.provider, 'registration')
  const of = channel === undefined ? '' : `&salesChannelId=${encodeURIComponent(channel)}&inherit=true`
  const path = `/api/_action/system-config?domain=${domain}${of}`
  const answer = await patient.call({method: 'GET', path, headers: ACCEPT})
  if (answer.status !== 200)
    return {kind: 'hidden', why: refusal(answer, "reading the shop's settings").message}
  // An empty list stands for no settings at all.
  const settings = parseJson(answer) as Record<string, unknown> | undefined
  const webhookId = settings?.[`${domain}.${webhookIdKey}`]
  if (typeof webhookId === 'string') await onWebhookId?.(webhookId)
  const value = settings?.[`${domain}.${tokenKey}`]
  return typeof value === 'string' && value !== '' ? {kind: 'token', token: value} : {kind: 'none'}
}

function readResult(answer: HttpResponse): string | undefined {
  const result = (parseJson(answer) as {result?: unknown} | undefined)?.result
  return typeof result === 'string' ? result : undefined
}

function parseJson({body}: HttpResponse): unknown {
  try {
    return JSON.parse(body.toString('utf8')) ?? undefined
  } catch {
    return undefined
  }
}
