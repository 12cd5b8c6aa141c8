import type {Connection} from '../../auth/profile/profile.js'
import {StorectlError} from '../../errors.js'
import {findPluginPackage} from '../../providers/route.js'
import type {ShopVersions} from '../../shopware/versions/version-range.js'
import {UNKNOWN_VERSIONS} from '../../shopware/versions/versions.js'
import {adaptToShop, type ReplayOptions} from '../../webhook/plan/replay-input.js'
import type {Host} from '../host.js'

interface Connects {
  connect(): Promise<Connection>
}

/**
 * Finds the versions of the chosen shop and of its payment plugin.
 *
 * @param signsIn whether routes that need a sign-in may be called if the shop does not report them otherwise
 * @throws StorectlError of a sign-in that fails
 */
export async function findShopVersions(
  {interruption}: Host,
  {connect}: Connects,
  signsIn: boolean,
): Promise<ShopVersions> {
  const {findVersions} = await import('../../shopware/versions/find-versions.js')
  const {createStateClient} = await import('../../webhook/delivery/state-check.js')
  const {profile, signed, unsigned} = await connect()
  return findVersions({
    ...{unsigned, plugin: findPluginPackage(profile.provider), signal: interruption.stopping},
    signed: signsIn ? createStateClient(signed) : undefined,
    set: {shop: profile.shopVersion, plugin: profile.pluginVersion},
  })
}

/** The same, but if a sign-in fails, what is known without one. */
export async function findVersionsIfPossible(host: Host, adapters: Connects): Promise<ShopVersions> {
  try {
    return await findShopVersions(host, adapters, true)
  } catch (error) {
    if (error instanceof StorectlError) return UNKNOWN_VERSIONS
    throw error
  }
}

/**
 * Options of a replay with the profile's settings for the shop, and with the shop's versions.
 *
 * @throws StorectlError `usage.skip_flows`, `usage.skip_flows_via_provider`, and of a sign-in that fails
 */
export async function addVersions(
  host: Host,
  adapters: Connects,
  options: ReplayOptions,
): Promise<ReplayOptions> {
  const {profile} = await adapters.connect()
  const versions = await findShopVersions(host, adapters, options.checkState)
  return adaptToShop(options, profile, versions)
}
