import {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import {readErrors} from '../../wire/read-errors.js'
import {INSTALLED_IS} from '../error-texts.js'
import type {ShopVersions} from './version-range.js'
import {isVersion} from './versions.js'

/** Sources of the versions. */
export interface VersionSources {
  /** Without an access token. */
  readonly unsigned: HttpClient
  /** With an access token; `undefined` where no sign-in is wanted. */
  readonly signed: HttpClient | undefined
  /** Composer package of the payment provider's plugin; `undefined` where unknown. */
  readonly plugin: string | undefined
  /** The profile's settings, for a shop that does not report its version. */
  readonly set: {readonly shop?: string | undefined; readonly plugin?: string | undefined}
  /** Aborts the calls. */
  readonly signal: AbortSignal
}

interface Found {
  readonly shop?: string | undefined
  readonly plugin?: string | undefined
}

/**
 * Finds the versions of a shop and of its payment plugin: by a header that any caller may send, else by routes that
 * need a sign-in, else from the profile. Reads only. A shop that does not report its version is not an error.
 *
 * @throws StorectlError when a sign-in fails
 * @see protocol.md §1.7, §3.2 `sw-expect-packages`
 */
export async function findVersions(sources: VersionSources): Promise<ShopVersions> {
  const {set} = sources
  const reported = await readExpectations(sources)
  const found = reported === 'unavailable' ? {} : await readSigned(reported, sources)
  const shop = found.shop ?? set.shop ?? null
  const plugin = found.plugin ?? set.plugin ?? null
  if (shop === null && plugin === null) return {shop, plugin, from: null}
  const isSet = (found.shop === undefined && shop !== null) || (found.plugin === undefined && plugin !== null)
  return {shop, plugin, from: isSet ? 'profile' : 'shop'}
}

/** No shop has this version, so the error names the installed one. */
const IMPOSSIBLE = '>=999'

async function readExpectations({unsigned, plugin, signal}: VersionSources): Promise<Found | 'unavailable'> {
  const packages = ['shopware/core', ...(plugin === undefined ? [] : [plugin])]
  const expected = packages.map(name => `${name}:${IMPOSSIBLE}`).join(',')
  const answer = await callIfAvailable(unsigned, {
    method: 'GET',
    path: '/api/_info/health-check',
    headers: {accept: 'application/json', 'sw-expect-packages': expected},
    answer: 'short',
    signal,
  })
  if (answer === undefined) return 'unavailable'
  if (answer.status !== 417) return {}
  const sentences = Object.values(readErrors(answer.body)[0]?.parameters ?? {}).map(String)
  return {
    shop: findInstalled(sentences, 'shopware/core'),
    plugin: plugin === undefined ? undefined : findInstalled(sentences, plugin),
  }
}

function findInstalled(sentences: readonly string[], name: string): string | undefined {
  const sentence = sentences.find(each => each.includes(` ${name} `))
  const version = sentence?.split(INSTALLED_IS)[1]?.trim()
  return isVersion(version) ? version : undefined
}

async function readSigned(reported: Found, {signed, plugin, signal}: VersionSources): Promise<Found> {
  if (!signed) return reported
  const shop = reported.shop ?? (await readShopVersion(signed, signal))
  if (shop === undefined || reported.plugin !== undefined || plugin === undefined) return {...reported, shop}
  return {shop, plugin: await readPluginVersion(signed, plugin, signal)}
}

async function readShopVersion(signed: HttpClient, signal: AbortSignal): Promise<string | undefined> {
  const headers = {accept: 'application/json'}
  const answer = await callIfAvailable(signed, {method: 'GET', path: '/api/_info/version', headers, signal})
  const {version} = readObject(answer) as {version?: unknown}
  return isVersion(version) ? version : undefined
}

/** Needs `plugin:read`; without it the plugin's version stays unknown. */
async function readPluginVersion(
  signed: HttpClient,
  plugin: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await callIfAvailable(signed, {
    method: 'POST',
    path: '/api/search/plugin',
    headers: {accept: 'application/json', 'content-type': 'application/json'},
    body: JSON.stringify({
      filter: [{type: 'equals', field: 'composerName', value: plugin}],
      limit: 1,
    }),
    signal,
  })
  const {data} = readObject(answer) as {data?: unknown}
  const row = Array.isArray(data) ? (data[0] as {version?: unknown; active?: unknown} | undefined) : undefined
  return isVersion(row?.version) && row?.active !== false ? row.version : undefined
}

async function callIfAvailable(
  client: HttpClient,
  call: Parameters<HttpClient['call']>[0],
): Promise<HttpResponse | undefined> {
  try {
    return await client.call(call)
  } catch (error) {
    if (error instanceof StorectlError && error.exitName === 'unavailable') return undefined
    throw error
  }
}

function readObject(answer: HttpResponse | undefined): object {
  if (answer?.status !== 200) return {}
  try {
    const value: unknown = JSON.parse(answer.body.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
