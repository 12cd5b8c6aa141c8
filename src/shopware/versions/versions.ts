import {createUsageError} from '../../errors.js'
import type {ShopVersions, VersionRange} from './version-range.js'

export const UNKNOWN_VERSIONS: ShopVersions = {shop: null, plugin: null, from: null}

/** Digits with dots, and the suffix of a pre-release: `10.0.0-rc1`. */
const VERSION = /^v?(\d{1,5}(?:\.\d{1,5}){1,3})(?:[-+][\w.]{1,20})?$/

/** Whether a text is a version. */
export function isVersion(text: unknown): text is string {
  return typeof text === 'string' && VERSION.test(text)
}

/**
 * Parses a version that a person typed.
 *
 * @param what has the version, for the message: `shop`
 * @returns without a leading `v`; empty for an empty text, which removes the setting
 * @throws StorectlError `usage.version`
 */
export function parseVersion(text: string, what: string): string {
  const trimmed = text.trim().replace(/^v(?=\d)/, '')
  if (trimmed === '' || isVersion(trimmed)) return trimmed
  throw createUsageError(
    'version',
    `Invalid version "${trimmed}" of the ${what}: write 6.6.7.1, for example.`,
  )
}

/** Compares two versions: below 0 where the second is newer. Ignores anything after the digits. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [parseNumbers(one), parseNumbers(other)]
  const index = left.findIndex((part, at) => part !== right[at])
  return index < 0 ? 0 : (left[index] as number) - (right[index] as number)
}

const PARTS = 4

function parseNumbers(version: string): number[] {
  const parts = (/^v?([\d.]+)/.exec(version)?.[1] ?? '').split('.').map(Number)
  return Array.from({length: PARTS}, (_, index) => parts[index] ?? 0)
}

/** Whether a known version is in a range. */
export function isInRange(version: string | null, {from, below}: VersionRange): boolean {
  return version !== null && compareVersions(version, from) >= 0 && compareVersions(version, below) < 0
}

/**
 * Shops that are known to skip their flows on request: measured on 6.7.5.0, and 6.6.7.1 has the same code.
 *
 * @see shop-6.7.md 1, `sw-skip-trigger-flow`
 */
const SKIPS_FLOWS: VersionRange = {from: '6.6.7.1', below: '6.8'}

/** Minor versions whose responses were measured on a running shop. @see docs/compatibility.md */
const MEASURED: readonly VersionRange[] = [
  {from: '6.5', below: '6.6'},
  {from: '6.6', below: '6.7'},
  {from: '6.7', below: '6.8'},
]

/** Whether this minor version was measured. */
export function isMeasured({shop}: ShopVersions): boolean {
  return MEASURED.some(range => isInRange(shop, range))
}

/** Plugins whose captures also request the provider's order, and store the resource's id. @see shop-6.7.md 3 */
const STORES_RESOURCE: readonly VersionRange[] = [
  {from: '9.10', below: '10'},
  {from: '10.4.2', below: '11'},
]

/** Whether a capture stores the provider's resource id, even where the payment's state does not change. */
export function storesResourceId({plugin}: ShopVersions): boolean {
  return STORES_RESOURCE.some(range => isInRange(plugin, range))
}

/** Whether a shop is known to skip its flows on request. */
export function canSkipFlows({shop}: ShopVersions): boolean {
  return isInRange(shop, SKIPS_FLOWS)
}

/**
 * Requires that a shop skips its flows on request.
 *
 * @throws StorectlError `usage.skip_flows` where the version is unknown or not covered by a measurement
 */
export function requireSkippableFlows(versions: ShopVersions, profile: string): void {
  if (canSkipFlows(versions)) return
  const {shop} = versions
  const unknown = "The shop's version is unknown"
  const why = shop === null ? unknown : `Shopware ${shop} is not known to skip flows`
  throw createUsageError(
    'skip_flows',
    `${why}, so --skip-flows could still send e-mails to customers. Nothing was sent.`,
    shop === null
      ? [`storectl profile set ${profile} --shop-version VERSION`, 'or omit --skip-flows: flows will run']
      : ['omit --skip-flows: flows will run'],
  )
}

/**
 * A sentence about the shop's flows for a run's changes. Webhooks of the shop and subscribers of plugins run in any
 * case.
 *
 * @param isSkippable whether `--skip-flows` would work
 * @param most customers that may get e-mails; `undefined` where they are not counted
 * @see real-shop.md R7
 */
export function explainFlows(skipFlows: boolean, isSkippable: boolean, most?: number): string {
  if (skipFlows) return `Flows are skipped: no e-mails to customers; ${STILL_RUN}`
  const who = most === undefined ? 'customers' : `up to ${most} ${most === 1 ? 'customer' : 'customers'}`
  return `Flows run: ${who} may get e-mails${isSkippable ? '; --skip-flows prevents them' : ''}`
}

const STILL_RUN = 'webhooks and plugins of the shop still run'

/** The versions in a message: `Shopware 6.6.7.1, payment plugin 9.6.2`. */
export function describeVersions({shop, plugin, from}: ShopVersions): string {
  if (shop === null && plugin === null) return 'Shopware (version unknown)'
  const source = from === 'profile' ? ' (set in the profile)' : ''
  return `Shopware ${shop ?? '(version unknown)'}, payment plugin ${plugin ?? '(version unknown)'}${source}`
}
