import type {CauseGroup, DiagnosisRow} from '../../diagnose/diagnosis-row.js'
import type {EventGroup} from '../../inbox/inbox.js'
import type {TriageSelection} from './triage-selection.js'

/** How far the diagnosis has come. */
export interface DiagnosisProgress {
  readonly groups: readonly CauseGroup[]
  /** Events that are in the groups. */
  readonly diagnosed: number
}

/** A plan as the screen shows it. */
export interface TriagePlan {
  readonly summary: string
  readonly notes: readonly string[]
  /** Events that would be sent. */
  readonly sends: number
  /** `send`, `hold (out-of-order)`, … with id and detail; may be read several times. */
  listRows(): AsyncIterable<{readonly action: string; readonly id: string; readonly detail: string | null}>
  /** The command that sends, behind `storectl`. */
  readonly command: readonly string[]
}

export type TriageVerb = 'list' | 'show' | 'diagnose' | 'replay' | 'resolve' | 'verify'

/** What the screen shows and does, each by the function of the command that it names. */
export interface TriageSource {
  /** As messages name the shop. */
  readonly shopName: string
  /** Filters of the command line, as they were typed; empty for none. */
  readonly filters: string
  /** @throws StorectlError `usage.where` */
  checkCondition(where: string): void
  countEvents(where: string | undefined): Promise<number>
  /** Events of the last hours, the newest first; empty where causes are chosen, as a cause is no column. */
  countHours(where: string | undefined, limit: number): Promise<readonly EventGroup[]>
  /** Groups by cause, again and again while the diagnosis goes on, as a cause is no column; memory does not grow with the events. */
  diagnoseGroups(where: string | undefined, signal: AbortSignal): AsyncIterable<DiagnosisProgress>
  /** The events of a group, the newest first; memory does not grow with their number. */
  listGroup(group: CauseGroup, where: string | undefined): AsyncIterable<DiagnosisRow>
  /** An event with its state, diagnosis, history and body, in lines. */
  describeEvent(id: string, columns: number): Promise<readonly string[]>
  /** Both sides of an event's payment, in lines: shop and provider are asked. */
  describePayment(word: string, columns: number): Promise<readonly string[]>
  /** @throws StorectlError as a replay's plan does */
  planReplay(selection: TriageSelection): Promise<TriagePlan>
  /** The command for a selection, behind `storectl`. @param more flags with values */
  writeCommand(
    verb: TriageVerb,
    selection: TriageSelection,
    more?: Readonly<Record<string, string | true>>,
  ): string[]
}
