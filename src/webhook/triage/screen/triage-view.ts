import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import type {EventMarks} from './event-marks.js'
import type {LineStyle} from './screen-lines.js'
import type {TriageSelection} from './triage-selection.js'
import type {TriageSource} from './triage-source.js'

/** A key with the command that does the same, without `storectl`. */
export type KeyCommand = readonly [key: string, command: readonly string[]]

/** What a view of the screen can use. */
export interface ViewContext {
  readonly source: TriageSource
  readonly marks: EventMarks
  readonly style: LineStyle
  /** The condition typed on the screen. */
  readonly where: string | undefined
  /** Redraws. */
  refresh(): void
  /** Shows why work failed, if a person can act on it. */
  watch(work: Promise<void>): void
  open(view: TriageView): void
  /** Notes a command for the transcript. */
  note(command: readonly string[]): void
  report(message: string): void
}

/** What can be done with the marked events, or with the row at the cursor. */
export const ACTION_HINTS = 'p plan  s send  r resolve  v verify'

/** One view of the screen: groups, the events of one, one event, a plan. */
export interface TriageView {
  /** The right end of the first line. */
  readonly title: string
  /** Its keys, two blanks apart; only the first of them if not all fit. */
  readonly hints: string
  /** Lines of the view, at most `rows`. */
  render(size: ScreenSize, context: ViewContext): string[]
  /** @returns whether the view knows the key */
  press(key: Key, context: ViewContext): boolean
  /** The selection if nothing is marked. */
  selectCurrent(context: ViewContext): TriageSelection | undefined
  /** What the keys of this view do, by command. */
  listCommands(context: ViewContext): readonly KeyCommand[]
  /** Ends the work of the view. */
  close(): void
}
