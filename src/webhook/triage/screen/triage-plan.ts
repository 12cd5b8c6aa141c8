import {parse} from '@oclif/core/parser'
import type {PlanRow} from '../../../contract/replay-rows.js'
import {runFlags} from '../../../flags/global-flags.js'
import {type ReplayFlags, replayFlags} from '../../../flags/replay-flags.js'
import {formatCount} from '../../../output/cell.js'
import type {BulkPlan} from '../../../runs/bulk-run.js'
import type {TriageSelection} from './triage-selection.js'
import type {TriagePlan, TriageSource} from './triage-source.js'

/** A replay in the words of its command line. */
export interface TriageReplay extends ReplayFlags {
  readonly words: readonly string[]
  /** `undefined` if the plan need not name the command that sends. */
  readonly typed: readonly string[] | undefined
}

/** Makes the plan of a replay that is only shown. */
export type PlanTriageReplay = (
  replay: TriageReplay,
) => Promise<Pick<BulkPlan<unknown, unknown>, 'sends' | 'preview'>>

/** The plan of `webhook replay --dry-run`, made by its own flags. */
export async function planReplay(
  selection: TriageSelection,
  {write, plan: makePlan}: {readonly write: TriageSource['writeCommand']; readonly plan: PlanTriageReplay},
): Promise<TriagePlan> {
  const typed = write('replay', selection, {'dry-run': true}).slice(2)
  const {flags, argv} = await parse(typed, {flags: {...runFlags, ...replayFlags}, strict: false})
  const replay = flags as unknown as ReplayFlags
  const {max} = replay
  // A person sees the count before sending: `--max` is for unattended commands.
  const plan = await makePlan({...replay, max: 0, words: argv as string[], typed: undefined})
  const run = await plan.preview()
  const isOver = Boolean(max) && plan.sends > Number(max)
  return {
    summary: run.presentation.summarize(run),
    notes: [
      ...(isOver ? [describeLiftedLimit(plan.sends, Number(max))] : []),
      ...(run.presentation.listNotes?.(run) ?? []),
    ],
    sends: plan.sends,
    command: write('replay', selection, isOver ? {max: String(plan.sends)} : {}),
    listRows: async function* () {
      for await (const rows of run.start())
        for (const row of rows as readonly PlanRow[])
          yield {action: joinReason(row), id: row.id, detail: row.detail}
    },
  }
}

function describeLiftedLimit(sends: number, max: number): string {
  return `Limit lifted: ${formatCount(sends)} events to send, and --max is ${formatCount(max)}`
}

function joinReason({action, reason}: PlanRow): string {
  return reason === null ? action : `${action} (${reason})`
}
