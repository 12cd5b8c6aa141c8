import {createRefusalLog} from '../../webhook/import/fault-summary.js'
import type {ImportDeps} from '../../webhook/import/import.js'
import {importEventsById} from '../../webhook/provider/import-by-id.js'
import type {ProviderSource} from '../../webhook/provider/import-source.js'
import {importFromProvider} from '../../webhook/provider/provider-import.js'
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

/** Imports events from the provider's list, or by id. @throws StorectlError as `openProvider` and the imports do */
export async function importListed(
  source: ProviderSource,
  {target, ...deps}: Awaited<ReturnType<typeof buildImportDeps>> & Pick<ImportDeps, 'onProgress'>,
  adapters: Adapters,
) {
  const provider = await adapters.openProvider()
  const given = {...deps, provider}
  const imported =
    'ids' in source
      ? importEventsById(target, source.ids, given)
      : importFromProvider(target, source.query, given)
  return imported.finally(deps.flush)
}
