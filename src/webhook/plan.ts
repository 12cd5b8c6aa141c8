import type {RunStore} from '../run/store.js'
import {batches} from './batches.js'
import type {InboxEvent} from './event.js'
import type {Inbox} from './inbox.js'
import {LaneFinder} from './lane-of.js'
import type {Transaction, Transactions} from './transactions.js'
import {atOnce, byState, isUnsure, type Judged, type Known, type Rules, type Verdict} from './verdict.js'

/** What is to happen to one event. */
export interface Planned {
  readonly event: InboxEvent
  readonly lane: string
  readonly verdict: Verdict
  readonly why: string | null
  /** The transaction's state when the plan was made; `null` when it was not looked at or is not known. */
  readonly state: string | null
  /** An earlier attempt may have been applied: the state is looked at before it is sent. */
  readonly isUnsure: boolean
  readonly isNamed: boolean
}

/** What a replay would do, in the order it would do it. */
export interface Plan {
  readonly entries: readonly Planned[]
  /** How many of them are to be sent. */
  readonly sends: number
}

export interface PlanDeps {
  readonly inbox: Pick<Inbox, 'deliveredUpTo' | 'find'>
  readonly runs: Pick<RunStore, 'ledger'>
  /** `undefined` when states are not looked at. */
  readonly transactions: Transactions | undefined
  readonly now: Date
  /** Cuts planning short. */
  readonly signal: AbortSignal
}

export interface PlanInput {
  readonly target: string
  /** The oldest first. */
  readonly events: AsyncIterable<InboxEvent>
  readonly rules: Rules
  /** The events were asked for by their ids. */
  readonly isNamed: boolean
}

/** Events that are looked up together. */
const BATCH = 250

/**
 * Gives every event its verdict: by what was delivered before, by its age, by the state of its transaction now, and by
 * what the events before it in the plan will make of that state.
 *
 * @throws StorectlError as `Transactions.find` does
 */
export async function makePlan(input: PlanInput, deps: PlanDeps): Promise<Plan> {
  const lanes = new LaneFinder()
  const judged: Omit<Planned, 'lane'>[] = []
  const expected = new Map<string, Transaction | undefined>()
  for await (const events of batches(input.events, BATCH)) {
    deps.signal.throwIfAborted()
    for (const event of events) lanes.tie(event.laneKeys)
    judged.push(...(await judgeAll(events, input, deps, expected)))
  }
  const entries = judged.map(entry => ({...entry, lane: lanes.laneOf(entry.event.laneKeys, entry.event.id)}))
  return {entries, sends: entries.filter(entry => entry.verdict === 'send').length}
}

async function judgeAll(
  events: readonly InboxEvent[],
  {target, rules, isNamed}: PlanInput,
  {inbox, runs, transactions, now}: PlanDeps,
  expected: Map<string, Transaction | undefined>,
): Promise<Omit<Planned, 'lane'>[]> {
  const ledger = await runs.ledger(
    'replay',
    target,
    events.map(event => event.id),
  )
  const early = events.map(event =>
    atOnce(event, rules, {
      now,
      isNamed,
      ledger: ledger.get(event.id),
      transaction: undefined,
      deliveredUpTo: undefined,
    }),
  )
  const open = events.filter((_, index) => early[index] === undefined)
  if (transactions) await lookAll(open, transactions, expected)
  const newest = await inbox.deliveredUpTo(target, [
    ...new Set(open.flatMap(event => event.traits.keyText ?? [])),
  ])
  return events.map((event, index) => {
    const key = event.traits.keyText
    const transaction = key === null ? undefined : expected.get(key)
    const entry = ledger.get(event.id)
    const known: Known = {
      ...{now, isNamed, ledger: entry, transaction},
      deliveredUpTo: key === null ? undefined : newest.get(key),
    }
    const judged = early[index] ?? byState(event, rules, known)
    if (key !== null && transaction && judged.leadsTo)
      expected.set(key, {...transaction, state: judged.leadsTo})
    return entryOf(event, judged, transaction, isUnsure(event, entry), isNamed)
  })
}

function entryOf(
  event: InboxEvent,
  {verdict, why}: Judged,
  transaction: Transaction | undefined,
  unsure: boolean,
  isNamed: boolean,
): Omit<Planned, 'lane'> {
  return {event, verdict, why, state: transaction?.state ?? null, isUnsure: unsure, isNamed}
}

/** Looks at every transaction once; from then on what the plan makes of it counts. */
async function lookAll(
  events: readonly InboxEvent[],
  transactions: Transactions,
  expected: Map<string, Transaction | undefined>,
): Promise<void> {
  const fresh = new Map<string, InboxEvent>()
  for (const event of events) {
    const key = event.traits.keyText
    if (key !== null && !expected.has(key)) fresh.set(key, event)
  }
  await Promise.all(
    [...fresh].map(async ([key, event]) => {
      expected.set(key, await transactions.find(event.traits.key))
    }),
  )
}
