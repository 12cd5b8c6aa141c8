import type {PlanHead, PlanLine} from '../../contract/replay-rows.js'
import {splitBatches} from '../../runs/pool/batches.js'
import {readSealedPlan, type SealedFormat, SealedWriter} from '../../runs/sealed-plan.js'
import type {Rules} from './judged.js'
import type {Planned, ReplayPlan} from './planned.js'
import type {WrittenPlan} from './written-plan.js'

const FORMAT: SealedFormat = {
  ...{headKey: 'storectlPlan', countKey: 'events', noun: 'a replay plan', unharmed: 'Nothing was sent.'},
  again: 'storectl webhook replay --plan FILE   (a new plan)',
}

/** The head of a plan: the options on which its actions depend. */
export function planHead(
  about: Pick<PlanHead, 'target' | 'profile' | 'isNamed' | 'words' | 'selection'> & {readonly madeAt: Date},
  rules: Rules,
): PlanHead {
  const {target, profile, madeAt, isNamed, words, selection} = about
  const at = {madeAt: madeAt.toISOString(), isNamed, rules: pickRules(rules)}
  return {storectlPlan: 1, target, profile, ...at, words, selection}
}

/** The rules among the options. */
function pickRules(rules: Rules): Rules {
  const {checkState, maxAgeMs, countsSinceMs, includeDelivered, includeUnknown, includeResolved} = rules
  const {includeOutOfOrder, includeUnverified, includeWrongToken, includeAmountDiffers} = rules
  const {versions, provider, skipFlows, countsRuns, presumeLostAfterMs} = rules
  return {
    ...{checkState, maxAgeMs, countsSinceMs, countsRuns, includeDelivered, includeUnknown, includeOutOfOrder},
    ...{includeUnverified, includeWrongToken: includeWrongToken === true},
    includeAmountDiffers: includeAmountDiffers === true,
    includeResolved: includeResolved === true,
    ...{versions, provider, skipFlows: skipFlows === true, presumeLostAfterMs},
  }
}

/** The limits of a command with the rules of a plan. */
export function applyPlanRules<Options extends Rules>(options: Options, {rules}: PlanHead): Options {
  const {maxAgeMs, countsSinceMs, countsRuns, presumeLostAfterMs} = rules
  return {...options, ...rules, maxAgeMs, countsSinceMs, countsRuns, presumeLostAfterMs}
}

const LINES_AT_ONCE = 500

/**
 * Writes a plan, one JSON object per line: head, events, end. Memory does not grow with its length.
 *
 * @returns its hash
 */
export async function writePlan(
  head: PlanHead,
  plan: ReplayPlan,
  write: (text: string) => Promise<void>,
): Promise<string> {
  const writer = new SealedWriter<PlanHead, PlanLine>(FORMAT.countKey, write)
  await writer.begin(head)
  for await (const some of splitBatches(plan.listEntries(), LINES_AT_ONCE)) {
    await writer.add(some.map(toPlanLine))
  }
  return writer.end({send: plan.sends})
}

export function toPlanLine({event, action, reason, detail, state, orderingKey}: Planned): PlanLine {
  const {id, type, createdAt, status, sender, sha256, traits} = event
  return {
    ...{
      action,
      reason,
      id,
      type,
      createdAt: createdAt.toISOString(),
      transaction: traits.keyText,
      state,
      status,
      sender,
    },
    ...{detail, orderingKey, sha256},
  }
}

/**
 * Reads a plan and checks that it is unchanged.
 *
 * @param file the whole file, readable from its beginning any number of times
 * @throws StorectlError `usage.not_a_plan`, `usage.plan_edited`
 */
export function readPlan(file: Parameters<typeof readSealedPlan>[0]): Promise<WrittenPlan> {
  return readSealedPlan(file, FORMAT)
}
