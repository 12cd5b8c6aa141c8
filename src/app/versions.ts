import type {Connection} from '../auth/profile/profile.js'
import {createUsageError} from '../errors.js'
import {findPluginPackage} from '../providers/route.js'
import type {ShopVersions} from '../versions/version-range.js'
import {requireSkippableFlows} from '../versions/versions.js'
import type {ReplayOptions} from '../webhook/plan/replay-input.js'
import type {Host} from './host.js'

interface Connects {
  connect(): Promise<Connection>
}

/**
 * Finds the versions of the chosen shop and of its payment plugin.
 *
 * @param signsIn whether routes that need a sign-in may be asked where the shop does not say otherwise
 * @throws StorectlError of a sign-in that fails
 */
export async function findShopVersions(
  {interruption}: Host,
  {connect}: Connects,
  signsIn: boolean,
): Promise<ShopVersions> {
  const {findVersions} = await import('../versions/find-versions.js')
  const {createStateClient} = await import('../webhook/delivery/state-check.js')
  const {profile, signed, unsigned} = await connect()
  return findVersions({
    ...{unsigned, plugin: findPluginPackage(profile.provider), signal: interruption.stopping},
    signed: signsIn ? createStateClient(signed) : undefined,
    set: {shop: profile.shopVersion, plugin: profile.pluginVersion},
  })
}

/**
 * Options of a replay with the versions of the shop that it is for.
 *
 * @throws StorectlError `usage.skip_flows`, `usage.skip_flows_via_provider`, and of a sign-in that fails
 */
export async function addVersions(
  host: Host,
  adapters: Connects,
  options: ReplayOptions,
): Promise<ReplayOptions> {
  const versions = await findShopVersions(host, adapters, options.checkState)
  if (options.skipFlows === true) {
    if (options.via === 'provider') throw createViaProviderError()
    requireSkippableFlows(versions, (await adapters.connect()).profile.name)
  }
  return {...options, versions}
}

function createViaProviderError() {
  return createUsageError(
    'skip_flows_via_provider',
    'The provider sends its own headers: --skip-flows and --via provider do not go together.',
    ['omit --via provider', 'or omit --skip-flows: flows will run'],
  )
}
