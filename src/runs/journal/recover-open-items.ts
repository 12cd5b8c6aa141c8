import {chained} from './hash-chain.js'
import type {Entry, JournalRecord} from './journal-entry.js'
import type {OpenItem} from './run-store.js'

/**
 * What is appended about the open items of a run that went away: `unknown` where something may have been applied.
 * An item whose last answer said that nothing was applied stays without a result, as if it had never been begun.
 *
 * @param worker who writes this; it begins a chain of its own in the other run's journal
 */
export function settled(open: readonly OpenItem[], worker: string, at: Date): JournalRecord[] {
  const entries = open
    .filter(({last}) => last.kind === 'intent' || last.grade === 'unknown')
    .map(({runId, last}) => ({...unknownAfter(last, 'result', 'the run ended'), runId}))
  return chainOf(entries, worker, at)
}

/**
 * What is appended about the open items of one worker that went away while others go on with its run: that nobody knows
 * the answer, so that whoever has the item next looks it up before anything is sent again.
 *
 * @param worker who went away
 */
export function answeredUnknown(open: readonly OpenItem[], worker: string, at: Date): JournalRecord[] {
  const entries = open
    .filter(({last}) => last.kind === 'intent')
    .map(({runId, last}) => ({...unknownAfter(last, 'answer', 'its worker went away'), runId}))
  return chainOf(entries, `${worker}-gone`, at)
}

function chainOf(
  entries: readonly (Entry & {readonly runId: string})[],
  worker: string,
  at: Date,
): JournalRecord[] {
  let previous = ''
  return entries.map((entry, index) => {
    const record = {...entry, worker, sequence: index + 1, at}
    const hash = chained(previous, record)
    previous = hash
    return {...record, hash}
  })
}

function unknownAfter(
  {item, lane, contentHash, attempt}: JournalRecord,
  kind: 'answer' | 'result',
  what: string,
): Entry {
  return {
    ...{kind, item, lane, contentHash, attempt},
    grade: 'unknown',
    outcome: 'unknown',
    detail: `${what} before the answer came`,
  }
}
