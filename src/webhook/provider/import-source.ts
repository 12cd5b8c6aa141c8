import {createUsageError} from '../../errors.js'
import type {EventFile} from '../import/read-events.js'
import {buildProviderQuery, type ProviderQuery} from './provider-import.js'

/** What `webhook import` reads: files, openable again and again, or the provider's own list. */
export type ImportSource = {readonly query: ProviderQuery} | {readonly open: () => Iterable<EventFile>}

/** The flags that say what an import reads. */
type ImportFlags = Parameters<typeof buildProviderQuery>[0] & {
  readonly 'from-provider'?: boolean
  readonly format?: EventFile['format']
  readonly encoding?: EventFile['encoding']
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
  openInput: (path: string) => Promise<{readonly name: string; read(): AsyncIterable<Uint8Array>}>,
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
  const inputs = await Promise.all(files.map(path => openInput(path)))
  const {format, encoding} = flags
  return {open: () => inputs.map(({name, read}) => ({name, chunks: read(), format, encoding}))}
}
