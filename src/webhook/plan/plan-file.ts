import {createHash} from 'node:crypto'
import {createUsageError} from '../../errors.js'
import {splitBatches} from '../../runs/pool/batches.js'
import {splitLines} from '../import/formats/json-slices.js'
import type {Action, Reason, Rules} from './action.js'
import type {Selection} from './event-selection.js'
import type {Planned, ReplayPlan} from './plan.js'

/** The first line of a plan: what it is about, and the rules that its actions follow. */
export interface PlanHead {
  /** The format. */
  readonly storectlPlan: 1
  /** Name of the shop in the inbox. */
  readonly target: string
  readonly profile: string
  /** ISO 8601, UTC; ages are counted up to here. */
  readonly madeAt: string
  /** The events were asked for by their ids. */
  readonly isNamed: boolean
  readonly rules: Rules
  readonly words: readonly string[]
  readonly selection: Selection
}

/** One event of a plan, with what its action was based on. */
export interface PlanLine {
  readonly action: Action
  readonly reason: Reason | null
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly transaction: string | null
  /** State of the transaction, by then. */
  readonly state: string | null
  /** Status in the inbox, by then. */
  readonly status: string
  readonly detail: string | null
  readonly orderingKey: string
  readonly sha256: string
}

/** The last line. */
interface PlanEnd {
  readonly events: number
  readonly send: number
  /** SHA-256 of the bytes of all lines before this one, line ends included; lower-case hex. */
  readonly hash: string
}

/** A plan that was written down and is whole. */
export interface WrittenPlan {
  readonly head: PlanHead
  readonly hash: string
  /** In the plan's order; may be read several times. @throws StorectlError `usage.plan_edited` */
  readLines(): AsyncGenerator<PlanLine, void, void>
}

/** The head of a plan: of what was asked for, what its actions depend on. */
export function planHead(
  about: Pick<PlanHead, 'target' | 'profile' | 'isNamed' | 'words' | 'selection'> & {readonly madeAt: Date},
  rules: Rules,
): PlanHead {
  const {target, profile, madeAt, isNamed, words, selection} = about
  const at = {madeAt: madeAt.toISOString(), isNamed, rules: pickRules(rules)}
  return {storectlPlan: 1, target, profile, ...at, words, selection}
}

/** Rules without what else options hold. */
function pickRules(rules: Rules): Rules {
  const {checkState, maxAgeMs, countsSinceMs, includeDelivered, includeUnknown, includeResolved} = rules
  const {includeOutOfOrder, includeUnverified, versions, skipFlows} = rules
  return {
    ...{checkState, maxAgeMs, countsSinceMs, includeDelivered, includeUnknown, includeOutOfOrder},
    ...{includeUnverified, includeResolved: includeResolved === true},
    ...{versions, skipFlows: skipFlows === true},
  }
}

/** The limits of a command with the rules of a plan. */
export function applyPlanRules<Options extends Rules>(options: Options, {rules}: PlanHead): Options {
  const {maxAgeMs, countsSinceMs} = rules
  return {...options, ...rules, maxAgeMs, countsSinceMs}
}

const LINES_AT_ONCE = 500

/**
 * Writes a plan down, one JSON object a line: head, events, end. Memory does not grow with its length.
 *
 * @returns its hash
 */
export async function writePlan(
  head: PlanHead,
  plan: ReplayPlan,
  write: (text: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256')
  const put = (text: string) => {
    hash.update(text)
    return write(text)
  }
  await put(`${JSON.stringify(head)}\n`)
  for await (const some of splitBatches(plan.listEntries(), LINES_AT_ONCE)) {
    await put(some.map(entry => `${JSON.stringify(toPlanLine(entry))}\n`).join(''))
  }
  const end: PlanEnd = {events: plan.total, send: plan.sends, hash: hash.digest('hex')}
  await write(`${JSON.stringify(end)}\n`)
  return end.hash
}

export function toPlanLine({event, action, reason, detail, state, orderingKey}: Planned): PlanLine {
  const {id, type, createdAt, status, sha256, traits} = event
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
    },
    ...{detail, orderingKey, sha256},
  }
}

/**
 * Reads a plan and makes sure that it is as it was written.
 *
 * @param read all of the file, from its beginning, as often as is needed
 * @throws StorectlError `usage.not_a_plan`, `usage.plan_edited`
 */
export async function readPlan(name: string, read: () => AsyncIterable<Uint8Array>): Promise<WrittenPlan> {
  let head: PlanHead | undefined
  let hash = ''
  for await (const part of readParts(name, read())) {
    if (part.kind === 'head') head = part.value
    else if (part.kind === 'end') hash = part.value.hash
  }
  return {
    head: head as PlanHead,
    hash,
    readLines: async function* () {
      for await (const part of readParts(name, read())) if (part.kind === 'line') yield part.value
    },
  }
}

type Part =
  | {readonly kind: 'head'; readonly value: PlanHead}
  | {readonly kind: 'line'; readonly value: PlanLine}
  | {readonly kind: 'end'; readonly value: PlanEnd}

/** The end is handed out only where everything before it is what it speaks of. */
async function* readParts(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Part, void, void> {
  const hash = createHash('sha256')
  let [isFirst, events] = [true, 0]
  let end: PlanEnd | undefined
  for await (const line of splitLines(bytes)) {
    const value = parseObject(Buffer.from(line.bytes).toString('utf8'))
    if (isFirst && !isHead(value)) throw describeNotAPlan(name)
    if (end || value === undefined) throw describeEdited(name)
    if (isEnd(value)) {
      end = value
      continue
    }
    hash.update(line.bytes).update('\n')
    if (!isFirst) events++
    yield isFirst ? {kind: 'head', value: value as PlanHead} : {kind: 'line', value: value as PlanLine}
    isFirst = false
  }
  if (isFirst) throw describeNotAPlan(name)
  if (!end || end.events !== events || end.hash !== hash.digest('hex')) throw describeEdited(name)
  yield {kind: 'end', value: end}
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function isHead(value: object | undefined): value is PlanHead {
  return (value as Partial<PlanHead> | undefined)?.storectlPlan === 1
}

function isEnd(value: object): value is PlanEnd {
  return 'hash' in value && 'events' in value
}

const AGAIN = ['storectl webhook replay --plan FILE   (a new plan)']

function describeNotAPlan(name: string) {
  return createUsageError('not_a_plan', `${name} is not a replay plan. Nothing was sent.`, AGAIN)
}

function describeEdited(name: string) {
  return createUsageError('plan_edited', `${name} was edited or cut off. Nothing was sent.`, AGAIN)
}
