import {formatCount} from '../../../output/cell.js'
import type {Cause} from '../../event/cause.js'

/** Which events are meant: by cause and condition, or by their ids alone. A marked group is its cause, and never its ids. */
export interface TriageSelection {
  readonly causes: readonly Cause[]
  /** A condition beside those of the command line, as it was typed. */
  readonly where: string | undefined
  readonly ids: readonly string[]
}

/** What is meant, as a person reads it: `token-mismatch, already-final`, `3 marked events`, `WH-1`. */
export function describeSelection({causes, ids}: TriageSelection): string {
  if (causes.length > 0) return causes.join(', ')
  return ids.length === 1 ? String(ids[0]) : `${formatCount(ids.length)} marked events`
}
