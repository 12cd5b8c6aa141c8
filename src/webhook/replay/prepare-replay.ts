import type {ScratchFile} from '../import/spool.js'
import {requireNotApplied, requireSamePlan} from '../plan/approved-plan.js'
import type {ReplaySource} from '../plan/event-source.js'
import {makePlan, type ReplayPlan} from '../plan/plan.js'
import type {ReplayInput} from '../plan/replay-input.js'
import {type CheckSendersDeps, checkSenders} from './check-senders.js'
import type {DeliveryDeps} from './replay-work.js'

export interface ReplayDeps extends DeliveryDeps {
  /** The chosen events; read once everything that may add to them has been recovered. */
  readonly source: ReplaySource
  /** Where a long plan is stored. */
  readonly openScratch: () => Promise<ScratchFile>
  readonly openVerifier?: CheckSendersDeps['openVerifier']
}

/**
 * Makes the plan of a replay; an approved one must come out as it was. Ages are counted up to when that was made, or none
 * would stay the same.
 *
 * @throws StorectlError as `requireNotApplied`, `requireSamePlan` and `makePlan` do
 */
export async function makeRequiredPlan(
  {options, isNamed, approved}: ReplayInput,
  deps: ReplayDeps,
): Promise<ReplayPlan> {
  const {target, inbox, store, transactions, clock, stopping, openScratch, source} = deps
  const findOrdered = options.offline === true ? undefined : deps.findOrdered
  if (approved) await requireNotApplied(approved, target, store)
  const now = approved ? new Date(approved.head.madeAt) : clock.now()
  const make = () =>
    makePlan(
      {target, events: source.listEvents(), rules: options, isNamed},
      {inbox, runs: store, transactions, findOrdered, openScratch, now, signal: stopping},
    )
  const plan = await make()
  if (!approved) return (await checkSenders(plan, options, deps)) ? make() : plan
  await requireSamePlan(plan, approved)
  return plan
}
