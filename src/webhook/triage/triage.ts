import type {View} from '../../output/view.js'
import type {Inbox, ResolutionNote} from '../inbox/inbox.js'

/** What became of one event. Keys are stable. */
export interface ResolutionRow {
  readonly id: string
  readonly result: string
  readonly [key: string]: unknown
}

export const RESOLUTIONS: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [{path: 'result'}, {path: 'id'}],
}

/** Ids of one commit. */
const BATCH = 500

const SAID = {
  resolve: {changed: 'resolved', same: 'was-resolved', delivered: 'was-delivered', unknown: 'not-found'},
  reopen: {changed: 'reopened', same: 'not-resolved', delivered: 'not-resolved', unknown: 'not-found'},
} as const

/**
 * Takes events off the failed list, or puts them back, batch by batch; each batch is one commit.
 *
 * @param ids however many; memory is that of a batch
 * @returns a row for each id, in their order
 */
export async function* resolveEvents(
  way: 'resolve' | 'reopen',
  ids: AsyncIterable<readonly string[]>,
  note: ResolutionNote,
  {inbox, target}: {inbox: Pick<Inbox, 'resolve' | 'reopen'>; target: string},
): AsyncGenerator<ResolutionRow, void, void> {
  for await (const batch of ids) {
    for (let from = 0; from < batch.length; from += BATCH) {
      const some = batch.slice(from, from + BATCH)
      const changes = await inbox[way](target, some, note)
      for (const id of some) yield {id, result: SAID[way][changes.get(id) ?? 'unknown']}
    }
  }
}

/** Whether an event did not come to what was asked for, so that a script should hear of it. */
export function hasFallenShort({result}: ResolutionRow): boolean {
  return result === 'not-found'
}
