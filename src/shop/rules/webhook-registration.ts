import {WRONG_WEBHOOK_TOKEN} from '../../shopware/error-texts.js'
import {generateId, isId} from '../../shopware/ids.js'
import {normalizeToken} from '../../wire/normalize-token.js'
import type {WebhookDeregistered, WebhookRegistered, WebhookStatus} from '../../wire/schemas/webhook.js'
import {generateWebhookToken} from '../oauth/secrets.js'
import {type Parameters, type RuleDeps, readParameter, type ShopRuntime} from '../runtime/runtime.js'
import {
  createHttpError,
  createInvalidUuidError,
  createShopError,
  type ShopError,
} from '../runtime/shop-error.js'
import {exists} from '../store/entities/read-entities.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {readConfig, removeConfig, writeConfig} from '../store/schema/system-config.js'
import type {ProviderFaults} from './payment-provider.js'
import {replaceToken, WEBHOOK_TOKEN_KEY} from './webhook-tokens.js'

/** Setting with the webhook's id at the provider, global and for each sales channel with its own. */
const WEBHOOK_ID_KEY = 'SwagPayPal.settings.webhookId'

const TOKEN_LENGTH = 32

/** Identifies a registration. */
export interface Registrant {
  /** `undefined` for all sales channels without a webhook of their own. */
  readonly salesChannelId: string | undefined
  /** Scheme and host that the caller used for the shop. */
  readonly origin: string
  /** Path of the request, for matching the routes of faults. */
  readonly path: string
}

export interface WebhookRegistrationDeps extends RuleDeps, Pick<ShopRuntime, 'provider' | 'tokenPrefix'> {
  readonly faults?: ProviderFaults | undefined
}

/**
 * Whether the provider sends notifications here: `missing` when it has no webhook, `invalid` when it sends them
 * elsewhere. A sales channel without a webhook of its own uses the global one.
 *
 * @see protocol.md §4.1
 */
export async function checkWebhookStatus(
  registrant: Registrant,
  deps: WebhookRegistrationDeps,
): Promise<WebhookStatus> {
  const {reads} = deps.db
  const read = (key: string) => readInheritedSetting(reads, key, registrant.salesChannelId)
  const id = await read(WEBHOOK_ID_KEY)
  const registered = id && (await fetchRegisteredUrl(reads, id, registrant.path, deps.faults))
  if (!registered) return 'missing'
  return registered === buildWebhookUrl(registrant, deps, (await read(WEBHOOK_TOKEN_KEY)) ?? '')
    ? 'valid'
    : 'invalid'
}

/**
 * Registers the webhook at the provider. An existing token of its own stays; where there is none, or only the global
 * one, a new one is created.
 *
 * @see protocol.md §4.1
 */
export function registerWebhook(
  registrant: Registrant,
  deps: WebhookRegistrationDeps,
): Promise<WebhookRegistered> {
  const {salesChannelId, path} = registrant
  const register = async (db: ShopConnection): Promise<WebhookRegistered> => {
    const token = await ensureWebhookToken(db, salesChannelId, deps.now())
    const url = buildWebhookUrl(registrant, deps, token)
    const known = await readConfig(db, WEBHOOK_ID_KEY, salesChannelId)
    const registered = known && (await fetchRegisteredUrl(db, known, path, deps.faults))
    if (registered === url) return 'nothing'
    const id = registered ? (known as string) : generateProviderId(deps.now())
    await writeConfig(db, buildProviderKey(id), url)
    await writeConfig(db, WEBHOOK_ID_KEY, id, salesChannelId)
    return registered ? 'updated' : 'created'
  }
  return deps.db.writes.run(register)
}

/**
 * Unregisters the webhook. Also deletes the token, so that notifications in flight are refused from then on.
 *
 * @see protocol.md §4.1
 */
export function deregisterWebhook(
  {salesChannelId, path}: Registrant,
  {db: {writes}, faults, now}: WebhookRegistrationDeps,
): Promise<WebhookDeregistered> {
  const deregister = async (db: ShopConnection): Promise<WebhookDeregistered> => {
    const id = await readConfig(db, WEBHOOK_ID_KEY, salesChannelId)
    if (id === undefined) return 'nothing'
    await fetchRegisteredUrl(db, id, path, faults)
    await removeConfig(db, buildProviderKey(id))
    await removeConfig(db, WEBHOOK_ID_KEY, salesChannelId)
    await replaceToken(db, undefined, now(), salesChannelId)
    return 'deleted'
  }
  return writes.run(deregister)
}

/**
 * The id of the sales channel in a path; `null` for all.
 *
 * @throws ShopError 400 for an invalid id
 */
export function parseSalesChannelId(name: string): string | undefined {
  if (name === 'null') return undefined
  if (isId(name)) return name.toLowerCase()
  throw createInvalidUuidError(name)
}

/**
 * The sales channel in a path; `null` for all.
 *
 * @throws ShopError 400 for an invalid id, 404 for an unknown one
 */
export async function findSalesChannelId(reads: ShopConnection, name: string): Promise<string | undefined> {
  const id = parseSalesChannelId(name)
  if (id === undefined || (await exists(reads, 'sales_channel', id))) return id
  throw createNoSalesChannelError(id)
}

export function createNoSalesChannelError(value: string): ShopError {
  const parameters = {entity: 'sales channel', field: 'id', value}
  const detail = `Could not find sales channel with id "${value}"`
  return createShopError(404, 'SYSTEM__SALES_CHANNEL_NOT_FOUND', detail, {parameters})
}

async function readInheritedSetting(
  db: ShopConnection,
  key: string,
  salesChannelId: string | undefined,
): Promise<string | undefined> {
  const own = await readConfig(db, key, salesChannelId)
  return own ?? readConfig(db, key)
}

/** Its own token; creates one where there is none, or where it is the same as the global one. */
async function ensureWebhookToken(
  db: ShopConnection,
  salesChannelId: string | undefined,
  now: Date,
): Promise<string> {
  const own = await readConfig(db, WEBHOOK_TOKEN_KEY, salesChannelId)
  const isInherited = salesChannelId !== undefined && own === (await readConfig(db, WEBHOOK_TOKEN_KEY))
  if (own?.length === TOKEN_LENGTH && !isInherited) return own
  const token = generateWebhookToken()
  await replaceToken(db, token, now, salesChannelId)
  return token
}

/** Always https, because providers deliver to nothing else. */
function buildWebhookUrl(
  {origin}: Registrant,
  {provider, tokenPrefix}: WebhookRegistrationDeps,
  token: string,
): string {
  return `${origin.replace(/^http:/, 'https:')}/api/_action/${provider}/webhook/execute?${tokenPrefix}-token=${token}`
}

/**
 * The URL of a webhook at the provider; `undefined` when it has no such webhook. The bundled shop is its own provider.
 *
 * @throws ShopError 500 when the provider does not respond
 */
async function fetchRegisteredUrl(
  db: ShopConnection,
  id: string,
  path: string,
  faults: ProviderFaults | undefined,
): Promise<string | undefined> {
  const fault = faults?.drawProviderFault(path)
  if (fault === 'down') throw createProviderDownError()
  return fault === 'not-found' ? undefined : readConfig(db, buildProviderKey(id))
}

function createProviderDownError(): ShopError {
  const parameters = {name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error occurred.'}
  const detail = `The error "${parameters.name}" occurred with the following message: ${parameters.message}`
  return createShopError(500, 'SWAG_PAYPAL__API_EXCEPTION', detail, {parameters})
}

function buildProviderKey(id: string): string {
  return `storectl.providerWebhook.${id}`
}

/** 17 digits and capital letters, like the provider's own ids. */
function generateProviderId(now: Date): string {
  return generateId(now).slice(-17).toUpperCase()
}

/**
 * Checks the webhook token in the query.
 *
 * The comparison ignores case and everything but letters and digits; any sales channel's token is accepted.
 *
 * @param tokens all tokens of the shop
 * @returns the error, or `undefined` for a valid token
 * @see protocol.md §4.1, §4.2 rows 4 to 6
 */
export function checkWebhookToken(
  query: Parameters,
  prefix: string,
  tokens: readonly string[],
): ShopError | undefined {
  const name = `${prefix}-token`
  const sent = readParameter(query, name) ?? ''
  if (typeof sent !== 'string')
    return createHttpError(400, `Input value "${name}" contains a non-scalar value.`)
  const given = normalizeToken(sent)
  const isKnown = given !== '' && tokens.some(token => token.toLowerCase() === given)
  return isKnown ? undefined : createHttpError(400, WRONG_WEBHOOK_TOKEN)
}

/** A query string without the webhook token, however it is spelled; everything else stays byte for byte. */
export function removeWebhookToken(queryString: string, prefix: string): string {
  const name = `${prefix}-token`
  return queryString
    .split('&')
    .filter(pair => !decodePairName(pair).startsWith(name))
    .join('&')
}

function decodePairName(pair: string): string {
  const separator = pair.indexOf('=')
  const name = separator < 0 ? pair : pair.slice(0, separator)
  if (!/[%+\s]/.test(name)) return name
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trimStart()
  } catch {
    return name
  }
}
