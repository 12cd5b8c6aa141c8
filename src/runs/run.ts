import type {ExitName, StorectlError} from '../errors.js'
import type {View, Row as ViewRow} from '../output/view.js'
import type {RunControl} from './journal/run-store.js'
import type {Counts} from './journal/worker.js'
import type {RunSummary} from './run-summary.js'

/** A run, or the preview of one, for its presenter. */
export interface Run<Row> {
  /** `null` if nothing is to be sent, so that no run is needed. */
  readonly id: string | null
  /** The shop that it writes to: its base URL, or `local` for the bundled one. */
  readonly target: string
  /** Rows of the whole run if nothing stops it. */
  readonly total: number
  /** How many of them are not sent, by the plan: they end before the first is sent. */
  readonly unsentTotal: number
  readonly presentation: Presentation<Row>
  /** Complete once the rows have ended. */
  readonly summary: RunSummary
  /** Keys of the items that are sent or about to be, and have no clear response. */
  readonly inFlight: ReadonlySet<string>
  /** The error that stopped it before its end, once the rows have ended. */
  readonly halt: StorectlError | undefined
  /** How many items of the whole run have no result, once the rows have ended. */
  readonly left: number
  /** Calls that were given up and are waited for: `3 in doubt until 12:01:07Z`; `undefined` where there are none. */
  readonly inDoubt?: string | undefined
  /** Results of the run's other workers, at most a second old while it lasts. */
  readonly peerCounts: Counts
  /** What a person requested of the run from another terminal, at most a second old; `null` for nothing. */
  readonly control: RunControl | null
  /** The last five requests: `paused by ada on desk`. */
  readonly changes: readonly string[]
  /** Whether other workers continue the run, once the rows have ended. */
  readonly hasActivePeers: boolean
  /**
   * Begins to send.
   *
   * @returns the rows as the items end, each durable by then. A reader that leaves stops the run like an interruption:
   *   requests in flight are finished and recorded, and the run is ended.
   * @throws errors of the journal, the source of items or the operation, once nothing is in flight
   */
  start(): AsyncIterable<readonly Row[]>
  /** Starts nothing new; requests in flight are finished. */
  close(): void
}

/** How one kind of run is printed and described. */
export interface Presentation<Row> {
  readonly view: View
  /** Whether many rows are grouped by result and reason for a person. */
  readonly isGrouped?: boolean
  /** The rows to print. Anything else that the run writes is written along the way. */
  show(rows: AsyncIterable<readonly Row[]>, run: Run<Row>): AsyncIterable<readonly ViewRow[]>
  /** Prints the text below the rows. */
  printBelow?(note: (text: string) => Promise<void>): Promise<void>
  /** Its results: `12 applied, 3 unchanged`. */
  summarize(run: Run<Row>): string
  /** Describes items that may have been applied; called if there are any. */
  describeUnknown(summary: RunSummary): string
  /** The command that resumes a run. */
  resumeCommand(run: string): string
  /** Further text if the run is ended at once. */
  describeLoss?(): string
  /** The error that stopped the run, with the exit that all results together call for. */
  explainHalt?(halt: StorectlError, run: string): StorectlError
  /** Further text at the end. */
  listNotes?(run: Run<Row>): readonly string[]
  /** The exit of the command, which knows more than the run does. @param exit what the results call for */
  chooseExit?(exit: ExitName, run: Run<Row>): ExitName
}

/** What is printed if nothing is sent: the preview of a run, or a run that was not needed. */
export function createIdleRun<Row>(
  parts: Pick<Run<Row>, 'presentation' | 'summary' | 'total'> & {
    readonly rows: () => AsyncIterable<readonly Row[]>
  },
): Run<Row> {
  const {rows, ...rest} = parts
  return {
    ...rest,
    ...{
      id: null,
      target: '',
      inFlight: new Set(),
      halt: undefined,
      left: 0,
      unsentTotal: 0,
      peerCounts: {},
      hasActivePeers: false,
      control: null,
      changes: [],
    },
    start: rows,
    close: () => {},
  }
}
