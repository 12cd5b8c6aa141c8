import {appendToChain} from './hash-chain.js'
import {withAttemptEnd} from './item.js'
import type {JournalEntry, NewEntry} from './journal-entry.js'
import type {OpenItem} from './run-store.js'

const RUN_ENDED = 'the run ended before the response came'
const WORKER_ENDED = 'its worker ended before the response came'

/**
 * Entries about the open items of a run that ended without its last worker: `unknown` if something may have been
 * applied. An item whose last answer shows that nothing was applied stays without a result, as if it had never begun.
 *
 * @param worker who writes this; it begins a chain of its own in the other run's journal
 */
export function recoverOpenItems(open: readonly OpenItem[], worker: string, at: Date): JournalEntry[] {
  const entries = open
    .filter(({last}) => last.kind === 'intent' || last.resultClass === 'unknown')
    .map(({last}) => buildUnknownEntry(last, 'result', RUN_ENDED, at))
  return appendEntries(entries, worker, at)
}

/**
 * Entries about the open items of one worker that is gone while others continue its run: the answer is lost, so that
 * the next worker of the item looks it up before anything is sent again.
 *
 * @param worker the one that is gone
 */
export function releaseOpenItems(open: readonly OpenItem[], worker: string, at: Date): JournalEntry[] {
  const entries = open
    .filter(({last}) => last.kind === 'intent')
    .map(({last}) => buildUnknownEntry(last, 'answer', WORKER_ENDED, at))
  return appendEntries(entries, `${worker}-gone`, at)
}

/** Whether a result is unknown because its run ended: nothing was looked up at that time. */
export function isRecovered({detail}: Pick<JournalEntry, 'detail'>): boolean {
  return detail === RUN_ENDED
}

type RecoveredEntry = NewEntry & {readonly runId: string}

function appendEntries(entries: readonly RecoveredEntry[], worker: string, at: Date): JournalEntry[] {
  let previous = ''
  return entries.map((content, index) => {
    const {runId} = content
    const entry = appendToChain(content, {runId, worker, sequence: index + 1, at}, previous)
    previous = entry.hash
    return entry
  })
}

function buildUnknownEntry(
  {runId, item, orderingKey, contentHash, attempt, facts}: JournalEntry,
  kind: 'answer' | 'result',
  detail: string,
  at: Date,
): RecoveredEntry {
  return {
    ...{runId, kind, item, orderingKey, contentHash, attempt, facts: withAttemptEnd(facts, at)},
    resultClass: 'unknown',
    result: 'unknown',
    detail,
  }
}
