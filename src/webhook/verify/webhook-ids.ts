import {createUsageError, StorectlError} from '../../errors.js'
import type {HttpClient} from '../../http/http.js'
import type {Clock} from '../../platform/clock.js'
import {findProvider} from '../../providers/providers.js'
import type {SignatureStore} from '../inbox/signature-store.js'

const WEBHOOKS = '/v1/notifications/webhooks'

/** Longer ones are not ids. */
const LONGEST_ID = 100
const MOST_IDS = 100

/**
 * The webhook id in a shop's own settings.
 *
 * @param provider as the profile names it
 * @throws StorectlError as `HttpClient` does
 */
export async function fetchShopWebhookIds(shop: HttpClient, provider: string): Promise<string[]> {
  const {registration} = findProvider(provider)
  if (registration === null) return []
  const {settings: domain, webhookIdKey} = registration
  const settings = await fetchJson(shop, `/api/_action/system-config?domain=${domain}`)
  return keepIds([settings?.[`${domain}.${webhookIdKey}`]])
}

/** The webhook in a shop's own settings; `undefined` if they name none, or cannot be read. */
export async function findShopWebhookId({
  patient,
  profile: {provider},
}: {
  readonly patient: HttpClient
  readonly profile: {readonly provider: string}
}): Promise<string | undefined> {
  try {
    return (await fetchShopWebhookIds(patient, provider))[0]
  } catch (error) {
    if (error instanceof StorectlError) return undefined
    throw error
  }
}

/**
 * The ids of all webhooks that the provider's account has.
 *
 * @throws StorectlError as `HttpClient` does
 * @see protocol.md §4.7
 */
export async function fetchProviderWebhookIds(provider: HttpClient): Promise<string[]> {
  const {webhooks} = (await fetchJson(provider, WEBHOOKS)) ?? {}
  if (!Array.isArray(webhooks)) return []
  return keepIds(webhooks.slice(0, MOST_IDS).map((webhook: {id?: unknown} | null) => webhook?.id))
}

/** The form of a webhook id. */
function keepIds(values: readonly unknown[]): string[] {
  return values.filter(
    (id): id is string => typeof id === 'string' && /^[\w-]+$/.test(id) && id.length <= LONGEST_ID,
  )
}

/**
 * Webhook ids that a person names.
 *
 * @throws StorectlError `usage.webhook_id`
 */
export function parseWebhookIds(words: readonly string[]): readonly string[] {
  const wrong = words.find(word => keepIds([word]).length === 0)
  if (wrong === undefined) return words
  throw createUsageError(
    'webhook_id',
    `--webhook-id ${wrong}: a webhook id has letters, digits, - and _ only.`,
  )
}

async function fetchJson(client: HttpClient, path: string): Promise<Record<string, unknown> | undefined> {
  const {status, body} = await client.call({method: 'GET', path, headers: {accept: 'application/json'}})
  if (status !== 200) return undefined
  try {
    const value = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Where the ids of registered webhooks are stored. */
export interface WebhookIdStorage {
  openInbox(): Promise<{readonly target: string}>
  openRecords(): Promise<{readonly signatures: Pick<SignatureStore, 'addWebhookIds'>}>
}

/** Stores every webhook id seen: a signature can be checked only with the id for which it was made. */
export function createWebhookIdRecorder(
  storage: WebhookIdStorage,
  clock: Pick<Clock, 'now'>,
): (webhookId: string) => Promise<void> {
  return async webhookId => {
    const {target} = await storage.openInbox()
    const {signatures} = await storage.openRecords()
    await signatures.addWebhookIds(target, keepIds([webhookId]), clock.now())
  }
}
