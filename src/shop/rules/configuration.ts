import {isId} from '../../shopware/ids.js'
import type {OpenWrite} from '../runtime/runtime.js'
import {
  createHttpError,
  createInvalidUuidError,
  createShopError,
  type ShopError,
} from '../runtime/shop-error.js'
import {exists} from '../store/entities/read-entities.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {readConfigBelow, removeConfig, writeConfig} from '../store/schema/system-config.js'
import {replaceToken, WEBHOOK_TOKEN_KEY} from './webhook-tokens.js'
import {createDanglingIdError} from './write/violations.js'

/** Prefix of our own settings in the same table, which the API neither reads nor writes. */
const OWN = 'storectl.'

/** A sales channel's own settings, or the global ones. */
export interface ConfigurationScope {
  /** `undefined` for the global ones. */
  readonly salesChannelId: string | undefined
}

/**
 * The settings below a domain, `SwagPayPal.settings`, by full key.
 *
 * @param inherit whether a sales channel without its own value shows the global one
 * @throws ShopError 400 without a domain
 */
export async function readConfiguration(
  domain: unknown,
  {salesChannelId, inherit}: ConfigurationScope & {inherit: boolean},
  reads: ShopConnection,
): Promise<Record<string, string>> {
  const beginning = `${readDomain(domain).replace(/(?<!\.)\.+$/, '')}.`
  if (beginning.startsWith(OWN)) return {}
  const read = (channel?: string) => readConfigBelow(reads, beginning, channel)
  const inherited = inherit && salesChannelId !== undefined ? await read() : []
  const rows = [...inherited, ...(await read(salesChannelId))]
  return Object.fromEntries(rows.map(({key, value}) => [key, value]))
}

/**
 * Writes settings, as part of a write: a text sets one, `null` removes it.
 *
 * @param settings by full key
 * @throws ShopError 400 for an invalid value or an unknown setting, 500 for an unknown sales channel
 */
export async function writeConfiguration(
  settings: Readonly<Record<string, unknown>>,
  {salesChannelId}: ConfigurationScope,
  {db, now}: Pick<OpenWrite, 'db' | 'now'>,
): Promise<void> {
  const isThere = (id: string) => exists(db, 'sales_channel', id)
  if (salesChannelId !== undefined && !(await isThere(salesChannelId)))
    throw createDanglingIdError('system_config', 'sales_channel_id')
  for (const [key, value] of Object.entries(settings)) {
    if (key.trim() === '' || key.startsWith(OWN)) throw createHttpError(400, `Invalid key '${key}'`)
    if (value !== null && typeof value !== 'string')
      throw createHttpError(400, `The setting "${key}" is not a string.`)
    await changeSetting(db, {key, value, salesChannelId}, now())
  }
}

function changeSetting(
  db: ShopConnection,
  {key, value, salesChannelId}: ConfigurationScope & {readonly key: string; readonly value: string | null},
  at: Date,
): Promise<void> {
  if (key === WEBHOOK_TOKEN_KEY) return replaceToken(db, value ?? undefined, at, salesChannelId)
  return value === null ? removeConfig(db, key, salesChannelId) : writeConfig(db, key, value, salesChannelId)
}

/**
 * The sales channel in a request.
 *
 * @param name `null` for all
 * @throws ShopError 400 for an invalid id
 */
export function parseConfigurationScope(name: unknown): ConfigurationScope {
  if (name === undefined || name === null || name === '' || name === 'null')
    return {salesChannelId: undefined}
  if (isId(name)) return {salesChannelId: name.toLowerCase()}
  const input = String(name)
  throw createInvalidUuidError(input)
}

/** Prefixes of keys: core and plugins with settings. */
const BUNDLES: ReadonlySet<string> = new Set([
  'core',
  'SwagPayPal',
  'Storefront',
  'Administration',
  'Framework',
])

/** @throws ShopError 400 without one */
function readDomain(domain: unknown): string {
  if (typeof domain !== 'string' || domain.trim() === '') throw createMissingParameterError('domain')
  return domain.trim()
}

/**
 * Whether a domain is known.
 *
 * @param domain `SwagPayPal.settings`
 * @throws ShopError 400 without one
 */
export function isKnownDomain(domain: unknown): boolean {
  return BUNDLES.has(readBundle(readDomain(domain)))
}

function readBundle(key: string): string {
  return key.split('.', 1)[0] ?? ''
}

/**
 * Refuses settings of plugins that are not installed, where the shop checks them against their descriptions.
 *
 * @throws ShopError 404
 */
export function requireKnownBundles(settings: Readonly<Record<string, unknown>>): void {
  const scope = Object.keys(settings)
    .map(readBundle)
    .find(name => !BUNDLES.has(name))
  if (scope === undefined) return
  const detail = `Configuration for scope "${scope}" not found.`
  throw createShopError(404, 'SYSTEM__SCOPE_NOT_FOUND', detail, {parameters: {scope}})
}

function createMissingParameterError(parameterName: string): ShopError {
  const detail = `Parameter "${parameterName}" is missing.`
  return createShopError(400, 'FRAMEWORK__MISSING_REQUEST_PARAMETER', detail, {
    parameters: {parameterName, path: ''},
  })
}
