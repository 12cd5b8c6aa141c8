import {chained} from './chain.js'
import type {Entry, JournalRecord} from './record.js'
import type {OpenItem} from './store.js'

/**
 * What is appended about the open items of a run that went away: `unknown` where something may have been applied.
 * An item whose last answer said that nothing was applied stays without a result, as if it had never been begun.
 *
 * @param worker who writes this; it begins a chain of its own in the other run's journal
 */
export function settled(open: readonly OpenItem[], worker: string, at: Date): JournalRecord[] {
  let previous = ''
  return open
    .filter(({last}) => last.kind === 'intent' || last.grade === 'unknown')
    .map(({runId, last}, index) => {
      const record = {...unknownAfter(last), runId, worker, sequence: index + 1, at}
      const hash = chained(previous, record)
      previous = hash
      return {...record, hash}
    })
}

function unknownAfter({item, lane, contentHash, attempt}: JournalRecord): Entry {
  return {
    kind: 'result',
    item,
    lane,
    contentHash,
    attempt,
    grade: 'unknown',
    outcome: 'unknown',
    detail: 'the run ended before the answer came',
  }
}
