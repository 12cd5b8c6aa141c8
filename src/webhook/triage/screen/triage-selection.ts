import {formatCount} from '../../../output/cell.js'
import type {Cause} from '../../event/cause.js'

/** Selected events: by cause and condition, or only by ids. A marked group is its cause, never its ids. */
export interface TriageSelection {
  readonly causes: readonly Cause[]
  /** A condition besides those of the command line, as typed. */
  readonly where: string | undefined
  readonly ids: readonly string[]
}

/** The selection for people: `token-mismatch, already-final`, `3 marked events`, `WH-1`. */
export function describeSelection({causes, ids}: TriageSelection): string {
  if (causes.length > 0) return causes.join(', ')
  return ids.length === 1 ? String(ids[0]) : `${formatCount(ids.length)} marked events`
}
