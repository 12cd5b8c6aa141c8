import type {PlanLine} from '../../contract/replay-rows.js'
import {createUsageError, StorectlError} from '../../errors.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {ReplaySource} from '../choose/selection.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {formatAction} from './judged.js'
import {toPlanLine} from './plan-file.js'
import type {ReplayPlan} from './planned.js'
import type {WrittenPlan} from './written-plan.js'

/** Events that are looked up together. */
const BATCH = 250

/**
 * The events of a plan file, in its order, as the inbox has them now.
 *
 * @throws StorectlError `usage.plan_of_other_shop`
 */
export function createPlanSource(
  {head, readLines}: WrittenPlan,
  {inbox, target}: {readonly inbox: Pick<Inbox, 'find'>; readonly target: string},
): ReplaySource {
  if (head.target !== target) throw describeOtherShop(head.target, target, head.profile)
  const listEvents = async function* (): AsyncGenerator<InboxEvent, void, void> {
    for await (const some of splitBatches(readLines(), BATCH)) {
      const there = await inbox.find(
        target,
        some.map(({id}) => id),
      )
      yield* some.flatMap(({id}) => there.get(id) ?? [])
    }
  }
  return {
    isNamed: head.isNamed,
    hasInvalid: false,
    listEvents,
    keep: async () => {},
    drop: async () => {},
  }
}

/**
 * Ensures that a plan is applied once: a run that began with it is to be resumed instead.
 *
 * @throws StorectlError `usage.plan_applied`
 */
export async function requireNotApplied(
  {hash}: WrittenPlan,
  target: string,
  runs: Pick<RunStore, 'list'>,
): Promise<void> {
  for await (const {id, options, total} of runs.list({kind: 'replay', target})) {
    if (options.plan !== hash || total === null) continue
    throw createUsageError('plan_applied', `Run ${id} already used this plan. Nothing was sent.`, [
      `storectl run show ${id}`,
      `storectl run resume ${id}`,
    ])
  }
}

/** Changes that are described; all are counted. */
const MOST_DESCRIBED = 5

/**
 * Ensures that a plan made now of the same events equals the plan file.
 *
 * @throws StorectlError `stopped.plan_outdated` with what changed
 */
export async function requireSamePlan(made: ReplayPlan, written: WrittenPlan): Promise<void> {
  const described: string[] = []
  let changed = 0
  const entries = made.listEntries()
  let next = await entries.next()
  for await (const line of written.readLines()) {
    const now = next.done || next.value.event.id !== line.id ? undefined : toPlanLine(next.value)
    if (now) next = await entries.next()
    const change = changeOf(line, now)
    if (change === undefined) continue
    changed++
    if (described.length < MOST_DESCRIBED) described.push(`${line.id}: ${change}`)
  }
  if (changed > 0) throw describeOutdated(changed, described)
}

function changeOf(line: PlanLine, now: PlanLine | undefined): string | undefined {
  if (!now) return 'it is no longer in the inbox'
  if (now.sha256 !== line.sha256) return 'its body changed'
  if (now.status !== line.status) return `it is ${now.status}, and was ${line.status}`
  const isSame = formatAction(now) === formatAction(line)
  const moved = `its transaction is ${now.state ?? 'unknown'}, and was ${line.state ?? 'unknown'}`
  if (now.state !== line.state && (now.state !== null || isSame)) return moved
  if (isSame) return undefined
  const why = now.detail === null ? '' : `: ${now.detail}`
  return `it is ${formatAction(now)}${why} now, and was ${formatAction(line)}`
}

const AGAIN = 'storectl webhook replay --plan FILE   (a new plan)'

function describeOutdated(changed: number, described: readonly string[]): StorectlError {
  const hidden = changed - described.length
  const all = [...described, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('\n')
  const what = changed === 1 ? 'An event changed since the plan' : `${changed} events changed since the plan`
  return new StorectlError('stopped.plan_outdated', `${what}. Nothing was sent.\n${all}`, {
    nextSteps: [AGAIN],
  })
}

function describeOtherShop(planned: string, target: string, profile: string): StorectlError {
  return createUsageError(
    'plan_of_other_shop',
    `The plan is for ${planned}, but ${target} is chosen. Nothing was sent.`,
    [`storectl webhook replay --apply FILE --profile ${profile}`],
  )
}
