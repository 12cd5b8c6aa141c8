import {createUsageError} from '../../errors.js'
import {createRefusalLog} from '../../webhook/import/fault-summary.js'
import type {ImportDeps} from '../../webhook/import/import.js'
import type {EventFile} from '../../webhook/import/read-events.js'
import {
  buildProviderQuery,
  importFromProvider,
  type ProviderQuery,
} from '../../webhook/provider/provider-import.js'
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

/** What `webhook import` reads: files, openable again and again, or the provider's own list. */
export type ImportSource = {readonly query: ProviderQuery} | {readonly open: () => Iterable<EventFile>}

/** The flags that say what an import reads. */
type ImportFlags = Parameters<typeof buildProviderQuery>[0] & {
  readonly 'from-provider'?: boolean
  readonly format?: EventFile['format']
}

/**
 * Opens what the arguments of an import name.
 *
 * @throws StorectlError `usage.files_and_provider`, `usage.missing_argument`, and as opening a file does
 */
export async function openImportSource(
  files: readonly string[],
  flags: ImportFlags,
  now: Date,
  adapters: Adapters,
): Promise<ImportSource> {
  if (flags['from-provider']) {
    if (files.length === 0) return {query: buildProviderQuery(flags, now)}
    throw createUsageError('files_and_provider', 'Use files or --from-provider, not both.')
  }
  if (files.length === 0)
    throw createUsageError(
      'missing_argument',
      'Missing input: event files, - for stdin, or --from-provider.',
      ['storectl webhook import FILE'],
    )
  const inputs = await Promise.all(files.map(path => adapters.files.openInput(path)))
  return {open: () => inputs.map(({name, read}) => ({name, chunks: read(), format: flags.format}))}
}
