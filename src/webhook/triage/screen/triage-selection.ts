import type {Cause} from '../../event/cause.js'

/** Which events are meant: by cause and condition, or by their ids alone. A marked group is its cause, and never its ids. */
export interface TriageSelection {
  readonly causes: readonly Cause[]
  /** A condition beside those of the command line, as it was typed. */
  readonly where: string | undefined
  readonly ids: readonly string[]
}
