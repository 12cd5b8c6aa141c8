import type {CauseGroup, DiagnosisRow} from '../../../contract/event-rows.js'
import type {EventGroup} from '../../inbox/inbox.js'
import type {TriageSelection} from './triage-selection.js'

/** The progress of the diagnosis. */
export interface DiagnosisProgress {
  readonly groups: readonly CauseGroup[]
  /** Events that are in the groups. */
  readonly diagnosed: number
}

/** A plan, as the screen shows it. */
export interface TriagePlan {
  readonly summary: string
  readonly notes: readonly string[]
  /** Events that would be sent. */
  readonly sends: number
  /** `send`, `hold (out-of-order)`, … with id and detail; may be read several times. */
  listRows(): AsyncIterable<{readonly action: string; readonly id: string; readonly detail: string | null}>
  /** The command that sends, without `storectl`. */
  readonly command: readonly string[]
}

export type TriageVerb = 'list' | 'show' | 'diagnose' | 'replay' | 'resolve' | 'verify'

/** What the screen shows and does, each through the function of the named command. */
export interface TriageSource {
  /** The shop's name in messages. */
  readonly shopName: string
  /** Filters of the command line, as typed; empty for none. */
  readonly filters: string
  /** @throws StorectlError `usage.where` */
  checkCondition(where: string): void
  countEvents(where: string | undefined): Promise<number>
  /** Events of the last hours, the newest first; empty if causes are chosen, as a cause is not a column. */
  countHours(where: string | undefined, limit: number): Promise<readonly EventGroup[]>
  /** Groups by cause, updated during the diagnosis, as a cause is not a column; memory does not grow with the events. */
  diagnoseGroups(where: string | undefined, signal: AbortSignal): AsyncIterable<DiagnosisProgress>
  /** The events of a group, the newest first; memory does not grow with their number. */
  listGroup(group: CauseGroup, where: string | undefined): AsyncIterable<DiagnosisRow>
  /** An event with its state, diagnosis, history and body, in lines. */
  describeEvent(id: string, columns: number): Promise<readonly string[]>
  /** Both sides of an event's payment, in lines: shop and provider are asked. */
  describePayment(word: string, columns: number): Promise<readonly string[]>
  /** @throws StorectlError as a replay's plan does */
  planReplay(selection: TriageSelection): Promise<TriagePlan>
  /** The command for a selection, without `storectl`. @param more flags with values */
  writeCommand(
    verb: TriageVerb,
    selection: TriageSelection,
    more?: Readonly<Record<string, string | true>>,
  ): string[]
}
