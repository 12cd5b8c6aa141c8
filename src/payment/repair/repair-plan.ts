import {createHash} from 'node:crypto'
import {createUsageError} from '../../errors.js'
import {splitLines} from '../../webhook/import/formats/json-slices.js'
import type {PlannedRepair} from './repair.js'

/** The first line of a plan of repairs. */
export interface RepairPlanHead {
  /** The format. */
  readonly storectlRepairPlan: 1
  /** Name of the shop. */
  readonly target: string
  readonly profile: string
  /** ISO 8601, UTC. */
  readonly madeAt: string
}

/** The last line. */
interface RepairPlanEnd {
  readonly payments: number
  /** SHA-256 of the bytes of all lines before this one, line ends included; lower-case hex. */
  readonly hash: string
}

/** A plan of repairs that was written down and is whole. */
export interface WrittenRepairPlan {
  readonly head: RepairPlanHead
  readonly hash: string
  readonly payments: number
  /** Payments that a run repairs, and those of them that move money back. */
  readonly repairs: number
  readonly movesBack: number
  /** May be read several times. @throws StorectlError `usage.plan_edited` */
  readRepairs(): AsyncGenerator<PlannedRepair, void, void>
}

/** Writes a plan down, one JSON object a line: head, payments, end. */
export class RepairPlanWriter {
  readonly #hash = createHash('sha256')
  #payments = 0

  constructor(private readonly write: (text: string) => Promise<void>) {}

  begin(head: RepairPlanHead): Promise<void> {
    return this.#put(head)
  }

  async add(repairs: readonly PlannedRepair[]): Promise<void> {
    for (const repair of repairs) {
      this.#payments++
      await this.#put(repair)
    }
  }

  /** @returns the plan's hash */
  async end(): Promise<string> {
    const end: RepairPlanEnd = {payments: this.#payments, hash: this.#hash.digest('hex')}
    await this.write(`${JSON.stringify(end)}\n`)
    return end.hash
  }

  get payments(): number {
    return this.#payments
  }

  async #put(value: object): Promise<void> {
    const line = `${JSON.stringify(value)}\n`
    this.#hash.update(line)
    await this.write(line)
  }
}

/**
 * Reads a plan and makes sure that it is as it was written.
 *
 * @param read all of the file, from its beginning, as often as is needed
 * @throws StorectlError `usage.not_a_plan`, `usage.plan_edited`
 */
export async function readRepairPlan(
  name: string,
  read: () => AsyncIterable<Uint8Array>,
): Promise<WrittenRepairPlan> {
  let head: RepairPlanHead | undefined
  let end: RepairPlanEnd | undefined
  let [repairs, movesBack] = [0, 0]
  for await (const part of readParts(name, read())) {
    if (part.kind === 'head') head = part.value
    else if (part.kind === 'end') end = part.value
    else if (part.value.repair.way !== 'by-hand') {
      repairs++
      if (part.value.repair.way === 'transition' && part.value.repair.movesBack) movesBack++
    }
  }
  const {hash, payments} = end as RepairPlanEnd
  return {
    ...{head: head as RepairPlanHead, hash, payments, repairs, movesBack},
    readRepairs: async function* () {
      for await (const part of readParts(name, read())) if (part.kind === 'repair') yield part.value
    },
  }
}

type Part =
  | {readonly kind: 'head'; readonly value: RepairPlanHead}
  | {readonly kind: 'repair'; readonly value: PlannedRepair}
  | {readonly kind: 'end'; readonly value: RepairPlanEnd}

/** The end comes only where everything before it is what it is about. */
async function* readParts(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Part, void, void> {
  const hash = createHash('sha256')
  let payments = -1
  let end: RepairPlanEnd | undefined
  for await (const line of splitLines(bytes)) {
    const value = parseObject(Buffer.from(line.bytes).toString('utf8'))
    if (payments < 0 && value?.storectlRepairPlan !== 1) throw createNotAPlanError(name)
    if (end || !value) throw createEditedError(name)
    if ('hash' in value) {
      end = value as unknown as RepairPlanEnd
      continue
    }
    hash.update(line.bytes).update('\n')
    if (payments < 0) yield {kind: 'head', value: value as unknown as RepairPlanHead}
    else yield {kind: 'repair', value: value as unknown as PlannedRepair}
    payments++
  }
  if (payments < 0) throw createNotAPlanError(name)
  if (!end || end.payments !== payments || end.hash !== hash.digest('hex')) throw createEditedError(name)
  yield {kind: 'end', value: end}
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const AGAIN = ['storectl payment reconcile --plan FILE   (a new plan)']

function createNotAPlanError(name: string) {
  return createUsageError('not_a_plan', `${name} is not a plan of repairs. Nothing was changed.`, AGAIN)
}

function createEditedError(name: string) {
  const message = `${name} was edited or cut off. Nothing was changed.`
  return createUsageError('plan_edited', message, AGAIN)
}

/** The error for resuming a run of repairs: its plan is applied again instead, and what was repaired is left as it is. */
export function createRepairResumeError(run: string) {
  return createUsageError(
    'repair_resume',
    `Run ${run} is a repair: apply its plan again. Nothing was changed.`,
    ['storectl payment reconcile --apply FILE   (what no longer differs is skipped)'],
  )
}
