import {createUsageError} from '../../errors.js'
import {readEventIds} from '../event/event-ids.js'
import type {EventFile} from '../import/read-events.js'
import {buildProviderQuery, type ProviderQuery} from './provider-import.js'

/** What `webhook import` reads: files that can be opened repeatedly, the provider's list, or its events by id. */
export type ImportSource = ProviderSource | {readonly open: () => Iterable<EventFile>}

/** The request to the provider. */
export type ProviderSource = {readonly query: ProviderQuery} | {readonly ids: AsyncIterable<string[]>}

/** The flags that choose what an import reads. */
type ImportFlags = Parameters<typeof buildProviderQuery>[0] & {
  readonly 'from-provider'?: boolean
  readonly format?: EventFile['format']
  readonly encoding?: EventFile['encoding']
}

/**
 * Opens what the arguments of an import name.
 *
 * @throws StorectlError `usage.ids_and_filters`, `usage.missing_argument`, and as opening a file does
 */
export async function openImportSource(
  files: readonly string[],
  flags: ImportFlags,
  now: Date,
  openInput: (path: string) => Promise<{readonly name: string; read(): AsyncIterable<Uint8Array>}>,
): Promise<ImportSource> {
  if (flags['from-provider']) {
    if (files.length === 0) return {query: buildProviderQuery(flags, now)}
    const {since, until, type} = flags
    if (since ?? until ?? type)
      throw createUsageError('ids_and_filters', 'Use event ids or filters, not both.')
    return {ids: readEventIds(files, openInput)}
  }
  if (files.length === 0)
    throw createUsageError(
      'missing_argument',
      'Missing input: event files, - for stdin, or --from-provider.',
      ['storectl webhook import FILE'],
    )
  const inputs = await Promise.all(files.map(path => openInput(path)))
  const {format, encoding} = flags
  return {open: () => inputs.map(({name, read}) => ({name, chunks: read(), format, encoding}))}
}
