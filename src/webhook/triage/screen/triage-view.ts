import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import type {EventMarks} from './event-marks.js'
import type {LineStyle} from './screen-lines.js'
import type {TriageSelection} from './triage-selection.js'
import type {TriageSource} from './triage-source.js'

/** A key with the command that does the same, behind `storectl`. */
export type KeyCommand = readonly [key: string, command: readonly string[]]

/** What a view of the screen has to do with. */
export interface ViewContext {
  readonly source: TriageSource
  readonly marks: EventMarks
  readonly style: LineStyle
  /** The condition that was typed on the screen. */
  readonly where: string | undefined
  /** Draws anew. */
  refresh(): void
  /** Shows why work failed, where a person can act on it. */
  watch(work: Promise<void>): void
  open(view: TriageView): void
  /** Notes a command for the transcript. */
  note(command: readonly string[]): void
  report(message: string): void
}

/** What can be done with what is marked, or with the row that has the cursor. */
export const ACTION_HINTS = 'p plan  s send  r resolve  v verify'

/** One view of the screen: groups, the events of one, one event, a plan. */
export interface TriageView {
  /** What the first line says at its right end. */
  readonly title: string
  /** Its keys, two blanks apart; the first of them where not all fit. */
  readonly hints: string
  /** Lines of the view, at most as many as there are rows. */
  render(size: ScreenSize, context: ViewContext): string[]
  /** @returns whether the view knows the key */
  press(key: Key, context: ViewContext): boolean
  /** What is meant where nothing is marked. */
  selectCurrent(context: ViewContext): TriageSelection | undefined
  /** What the keys of this view do, by command. */
  listCommands(context: ViewContext): readonly KeyCommand[]
  /** Ends what goes on in the view. */
  close(): void
}
