import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {Resolution, SeenAttempt} from './inbox.js'

/** Something that became of an event. Keys are stable. */
export interface AttemptRow {
  readonly at: string
  /** `run`: sent again by us; `delivery`: seen from outside; `person`: said by hand. */
  readonly by: 'run' | 'delivery' | 'person'
  readonly run: string | null
  readonly attempt: number | null
  readonly outcome: string | null
  /** HTTP status. */
  readonly status: number | null
  readonly detail: string | null
  readonly [key: string]: unknown
}

/**
 * All that became of an event, the oldest first: what runs wrote down, deliveries that were seen, words by hand.
 *
 * @param seen what the inbox was told of; what our own runs told it is among them, at the very moment of their record
 */
export function attemptRows(
  records: readonly JournalEntry[],
  seen: readonly SeenAttempt[],
  resolutions: readonly Resolution[],
): AttemptRow[] {
  const ours = new Set(records.map(({at}) => at.getTime()))
  return [
    ...records.map(toRunAttempt),
    ...seen.filter(({at}) => !ours.has(at.getTime())).map(toObservedAttempt),
    ...resolutions.map(toResolutionAttempt),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function toRunAttempt({at, runId, attempt, outcome, resultClass, status, detail}: JournalEntry): AttemptRow {
  return {
    ...{at: at.toISOString(), by: 'run', run: runId, attempt},
    outcome: outcome ?? resultClass ?? null,
    status: status ?? null,
    detail: detail ?? null,
  }
}

function toObservedAttempt({at, status, answer, cause}: SeenAttempt): AttemptRow {
  const nobody = {run: null, attempt: null}
  return {
    at: at.toISOString(),
    by: 'delivery',
    ...nobody,
    outcome: status,
    status: answer,
    detail: cause,
  }
}

function toResolutionAttempt({at, who, kind, reason}: Resolution): AttemptRow {
  const detail = reason === null ? who : `${who}: ${reason}`
  return {
    at: at.toISOString(),
    by: 'person',
    run: null,
    attempt: null,
    outcome: kind,
    status: null,
    detail,
  }
}
