import type {WebhookEvent} from './event.js'
import type {Inbox} from './inbox.js'
import {type EventFile, type Fault, readEvents} from './read-events.js'

/** What an import came to. */
export interface Imported {
  readonly added: number
  /** Were there already, with the same body. */
  readonly known: number
  /** Came with another body than the one that was there; marked, and not sent again unless they are looked into. */
  readonly conflicting: number
  /** Pieces that are no event. */
  readonly unusable: number
}

export interface ImportDeps {
  readonly inbox: Pick<Inbox, 'add'>
  readonly now: () => Date
  /** Told of what cannot be used, as it is found. */
  readonly onFault: (fault: Fault) => Promise<void> | void
  /** Told of ids that came with another body. */
  readonly onConflict: (id: string) => Promise<void> | void
  /** Ends the import between two batches; what was kept stays. */
  readonly signal: AbortSignal
}

/** Events of one commit. */
const BATCH = 500

/**
 * Puts the events of files into the inbox: once each, bodies byte for byte. What cannot be used is named and passed
 * over. Memory does not grow with the number of events.
 *
 * @throws StorectlError as reading the files does; what came before stays
 */
export async function importEvents(
  target: string,
  files: Iterable<EventFile>,
  deps: ImportDeps,
): Promise<Imported> {
  const total = {added: 0, known: 0, conflicting: 0, unusable: 0}
  let batch: WebhookEvent[] = []
  const flush = async () => {
    const {added, known, conflicts} = await deps.inbox.add(target, batch)
    total.added += added
    total.known += known
    total.conflicting += batch.length - added - known
    for (const id of conflicts) await deps.onConflict(id)
    batch = []
  }
  for (const file of files) {
    for await (const read of readEvents(file, deps.now)) {
      if ('fault' in read) {
        total.unusable++
        await deps.onFault(read.fault)
      } else batch.push(read.event)
      if (batch.length >= BATCH) await flush()
      if (deps.signal.aborted) break
    }
  }
  if (batch.length > 0) await flush()
  return total
}
