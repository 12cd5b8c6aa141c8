import {createRefusalLog} from '../../webhook/import/fault-summary.js'
import type {ImportDeps} from '../../webhook/import/import.js'
import {importFromProvider, type ProviderQuery} from '../../webhook/provider/provider-import.js'
import type {Adapters} from '../adapters/adapters.js'
import type {Host} from '../host.js'
import {buildSenderDeps} from '../signatures/own-shop.js'

/** Dependencies of `webhook import`. @param note a line for the person */
export async function buildImportDeps(host: Host, adapters: Adapters, note: (text: string) => Promise<void>) {
  const {clock, interruption} = host
  const {inbox, target} = await adapters.openInbox()
  return {
    ...{inbox, target},
    ...(await buildSenderDeps(host, adapters, target)),
    now: () => clock.now(),
    signal: interruption.stopping,
    ...createRefusalLog(note),
  }
}

/** Imports what the provider lists. @throws StorectlError as `openProvider` and `importFromProvider` do */
export async function importListed(
  query: ProviderQuery,
  {target, ...deps}: Awaited<ReturnType<typeof buildImportDeps>> & Pick<ImportDeps, 'onProgress'>,
  adapters: Adapters,
) {
  const provider = await adapters.openProvider()
  return importFromProvider(target, query, {...deps, provider}).finally(deps.flush)
}
