import type {Transaction, Transactions} from '../../payment/transactions.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {batches} from '../../runs/pool/batches.js'
import type {InboxEvent} from '../event/event.js'
import {type Scratch, Spool} from '../import/spool.js'
import type {Inbox} from '../inbox/inbox.js'
import {
  atOnce,
  byState,
  countsSince,
  isUnsure,
  type Judged,
  type Known,
  type Rules,
  type Verdict,
} from './action.js'
import {StatesAhead} from './ahead.js'
import {LaneFinder} from './ordering-key-groups.js'
import {listOf, ofList, type PlannedList, type Unlaned} from './planned-list.js'

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

/** What a replay would do. */
export interface Plan {
  readonly total: number
  /** What is older than allowed is told by this moment. */
  readonly madeAt: Date
  /** How many of them are to be sent. */
  readonly sends: number
  /** How many got each verdict. */
  readonly counts: ReadonlyMap<Verdict, number>
  /** In the order in which it would be done; may be read several times. */
  entries(): AsyncGenerator<Planned, void, void>
}

export interface PlanDeps {
  readonly inbox: Pick<Inbox, 'deliveredUpTo' | 'find'>
  readonly runs: Pick<RunStore, 'ledger'>
  /** `undefined` when states are not looked at. */
  readonly transactions: Transactions | undefined
  readonly now: Date
  /** Cuts planning short. */
  readonly signal: AbortSignal
  /** Where a long plan lies. */
  readonly openScratch: () => Promise<Scratch>
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
  const counts = new Map<Verdict, number>()
  const judged = new Spool<Unlaned, PlannedList>({
    openScratch: deps.openScratch,
    plain: listOf,
    revive: ofList,
  })
  const ahead = new StatesAhead()
  let total = 0
  for await (const events of batches(input.events, BATCH)) {
    deps.signal.throwIfAborted()
    for (const event of events) lanes.tie(event.laneKeys)
    const entries = await judgeAll(events, input, deps, ahead)
    for (const {verdict} of entries) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    total += entries.length
    await judged.add(entries)
  }
  return {
    ...{total, counts, madeAt: deps.now, sends: counts.get('send') ?? 0},
    entries: async function* () {
      for await (const entry of judged.read())
        yield {...entry, lane: lanes.laneOf(entry.event.laneKeys, entry.event.id)}
    },
  }
}

async function judgeAll(
  events: readonly InboxEvent[],
  {target, rules, isNamed}: PlanInput,
  {inbox, runs, transactions, now}: PlanDeps,
  ahead: StatesAhead,
): Promise<Unlaned[]> {
  const ids = events.map(({id}) => id)
  const ledger = await runs.ledger('replay', target, ids)
  const before = {now, isNamed, transaction: undefined, deliveredUpTo: undefined}
  const early = events.map(event => atOnce(event, rules, {...before, ledger: ledger.get(event.id)}))
  const open = events.filter((_, index) => early[index] === undefined)
  const found = transactions ? await lookAll(open, transactions) : new Map<string, undefined>()
  const newest = await inbox.deliveredUpTo(
    target,
    [...new Set(open.flatMap(event => event.traits.keyText ?? []))],
    countsSince(rules),
  )
  return events.map((event, index) => {
    const key = event.traits.keyText ?? ''
    const transaction = asPlanned(found.get(key), ahead.get(key))
    const entry = ledger.get(event.id)
    const known: Known = {...before, ledger: entry, transaction, deliveredUpTo: newest.get(key)}
    const judged = early[index] ?? byState(event, rules, known)
    if (transaction && judged.leadsTo) ahead.set(key, judged.leadsTo)
    return entryOf(event, judged, transaction, isUnsure(event, entry), isNamed)
  })
}

function asPlanned(now: Transaction | undefined, state: string | undefined): Transaction | undefined {
  return now && state !== undefined ? {...now, state} : now
}

function entryOf(
  event: InboxEvent,
  {verdict, why}: Judged,
  transaction: Transaction | undefined,
  unsure: boolean,
  isNamed: boolean,
): Unlaned {
  return {event, verdict, why, state: transaction?.state ?? null, isUnsure: unsure, isNamed}
}

/** The transactions of some events as they are now, by what names them. */
async function lookAll(
  events: readonly InboxEvent[],
  transactions: Transactions,
): Promise<Map<string, Transaction | undefined>> {
  const named = new Map(events.map(({traits}) => [traits.keyText, traits.key] as const))
  const found = new Map<string, Transaction | undefined>()
  await Promise.all(
    [...named].map(async ([text, key]) => {
      if (text !== null) found.set(text, await transactions.find(key))
    }),
  )
  return found
}
