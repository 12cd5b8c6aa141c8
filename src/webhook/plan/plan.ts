import type {FindOrdered} from '../../payment/compare-amounts.js'
import {addOrder, findNewOrders} from '../../payment/order-numbers.js'
import type {Transaction, Transactions} from '../../payment/transactions.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {splitBatches} from '../../runs/pool/batches.js'
import {type ScratchFile, Spool} from '../../runs/pool/spool.js'
import type {InboxEvent} from '../event/event.js'
import type {Inbox} from '../inbox/inbox.js'
import {findCountedSince, holdExpired, judgeOffline, type Known} from './action.js'
import {StatesAhead} from './forecast.js'
import type {Action, Judged, Reason, Rules} from './judged.js'
import {CapturesAhead, findAllOrdered} from './known-captures.js'
import {describeBlock, findOpenResults, judgeByPayment} from './open-results.js'
import {OrderingKeyGroups} from './ordering-key-groups.js'
import {countAction, countAgain, createTally} from './plan-totals.js'
import type {Planned, ReplayPlan} from './planned.js'
import {isResultUnknown} from './unknown-result.js'

/** Dependencies of a plan. */
export interface PlanDeps {
  readonly inbox: Pick<Inbox, 'findKnownResults' | 'noteOrders'>
  readonly runs: Pick<RunStore, 'findLedgerEntries'>
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  /** `undefined` if the provider is not asked. */
  readonly findOrdered?: FindOrdered | undefined
  readonly now: Date
  /** Cuts planning short. */
  readonly signal: AbortSignal
  /** Where a long plan is stored. */
  readonly openScratch: () => Promise<ScratchFile>
}

interface PlanInput {
  readonly target: string
  /** The oldest first. */
  readonly events: AsyncIterable<InboxEvent>
  readonly rules: Rules
  /** The events were named by their ids. */
  readonly isNamed: boolean
}

/** Events that are looked up together: some calls of the shop side by side. */
const BATCH = 1000

/**
 * Gives every event its action, by earlier deliveries, its age, the present state of its transaction, and the effect of
 * the events before it in the plan on that state.
 *
 * @throws StorectlError as `Transactions.find` does
 */
export async function makePlan(input: PlanInput, deps: PlanDeps): Promise<ReplayPlan> {
  const groups = new OrderingKeyGroups()
  const payments = {ahead: new StatesAhead(), captures: new CapturesAhead(), groups}
  const tally = createTally()
  const {counts, amounts, totals, causes} = tally
  const judged = new Spool<Ungrouped, PlannedList>({
    openScratch: deps.openScratch,
    plain: listOf,
    revive: parseList,
  })
  let total = 0
  let hasOpen = false
  for await (const events of splitBatches(input.events, BATCH)) {
    deps.signal.throwIfAborted()
    for (const event of events) groups.joinKeys(event.orderingKeys)
    const entries = await judgeAll(events, input, deps, payments)
    for (const entry of entries) countAction(entry, tally)
    total += entries.length
    hasOpen ||= entries.some(({isOpen}) => isOpen)
    await judged.add(entries)
  }
  const listEntries = () => blockAfterUnknown(judged.read(), groups)
  if (hasOpen) await countAgain(listEntries(), tally)
  const sends = counts.get('send') ?? 0
  return {total, counts, amounts, totals, causes, madeAt: deps.now, sends, listEntries}
}

/** An event with an unknown result, whatever else holds it, holds what comes after it under its ordering key. */
async function* blockAfterUnknown(
  entries: AsyncIterable<Ungrouped>,
  groups: OrderingKeyGroups,
): AsyncGenerator<Planned, void, void> {
  const unknown = new Map<string, string>()
  for await (const entry of entries) {
    const orderingKey = groups.findGroup(entry.event.orderingKeys, entry.event.id)
    const by = unknown.get(orderingKey)
    if (entry.isOpen && by === undefined) unknown.set(orderingKey, entry.event.id)
    yield by !== undefined && (entry.action === 'send' || entry.reason === 'expired')
      ? {...entry, ...describeBlock(by), orderingKey}
      : {...entry, orderingKey}
  }
}

async function judgeAll(
  events: readonly InboxEvent[],
  {target, rules, isNamed}: PlanInput,
  {inbox, runs, transactions, findOrdered, now}: PlanDeps,
  {ahead, captures, groups}: {ahead: StatesAhead; captures: CapturesAhead; groups: OrderingKeyGroups},
): Promise<Ungrouped[]> {
  const ids = events.map(({id}) => id)
  const ledger = await runs.findLedgerEntries('replay', target, ids)
  const unsure = events.map(event => isResultUnknown(event, ledger.get(event.id)))
  const gatherKnown = (event: InboxEvent, index: number): Known => ({
    ...{now, isNamed, isUnsure: unsure[index] === true, ledger: ledger.get(event.id)},
    ...{transaction: undefined, deliveredUpTo: undefined, captures: []},
  })
  const early = events.map((event, index) => judgeOffline(event, rules, gatherKnown(event, index)))
  const open = events.filter((_, index) => early[index] === undefined)
  const found = transactions ? await lookAll(open, transactions) : new Map<string, undefined>()
  const orders = findNewOrders(open, key => found.get(key))
  await inbox.noteOrders(target, orders)
  const keys = [...new Set(open.flatMap(event => event.traits.keyText ?? []))]
  const query = {sinceMs: findCountedSince(rules), withUnknown: !rules.includeUnknown}
  joinPayments(open, found, groups)
  const results = await inbox.findKnownResults(target, keys, query)
  const ordered = await findAllOrdered(open, found, results, findOrdered)
  const unknown = await findOpenResults(results, found, {target, rules, runs, at: now})
  return events.map((event, index) => {
    const key = event.traits.keyText ?? ''
    const transaction = withPlannedState(found.get(key), ahead.get(key))
    const known: Known = {
      ...gatherKnown(event, index),
      ...{transaction, deliveredUpTo: results.get(key)?.newest, ordered: ordered.get(key)},
      captures: [...(results.get(key)?.captures ?? []), ...captures.get(key)],
    }
    const judgeLate = () => {
      const outlook = {rules, now: found.get(key), open: unknown.get(key)}
      return holdExpired(event, judgeByPayment(event, known, outlook), rules, now)
    }
    const judged = early[index] ?? judgeLate()
    if (transaction && judged.leadsTo) ahead.set(key, judged.leadsTo)
    captures.add(key, event, judged, rules)
    const isOpen = judged.reason === 'unknown-result' || unknown.get(key)?.ids.has(event.id) === true
    return {...buildEntry(addOrder(event, orders), judged, known), isOpen}
  })
}

/** Events of both versions of the provider's API name one payment in different ways; the shop knows both. */
function joinPayments(
  events: readonly InboxEvent[],
  found: ReadonlyMap<string, Transaction | undefined>,
  groups: OrderingKeyGroups,
): void {
  for (const {traits, orderingKeys} of events) {
    const id = found.get(traits.keyText ?? '')?.id
    if (id !== undefined) groups.joinKeys([...orderingKeys, `transaction:${id}`])
  }
}

function withPlannedState(now: Transaction | undefined, state: string | undefined): Transaction | undefined {
  return now && state !== undefined ? {...now, state} : now
}

function buildEntry(
  event: InboxEvent,
  {action, reason, detail}: Judged,
  {transaction, isUnsure, isNamed}: Known,
): Omit<Ungrouped, 'isOpen'> {
  return {event, action, reason, detail, state: transaction?.state ?? null, isUnsure, isNamed}
}

/** The transactions of some events as they are now, by key. */
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

/** An entry of a plan before all events are known, and with them the ordering keys. */
type Ungrouped = Omit<Planned, 'orderingKey'> & {
  /** An earlier attempt may have been applied, and nothing shows whether. */
  readonly isOpen: boolean
}

/** An entry as a file holds it: values without their names, which would be most of the text. */
type PlannedList = readonly unknown[]

type Moment = {[Key in keyof InboxEvent]-?: Date extends InboxEvent[Key] ? Key : never}[keyof InboxEvent]

const MOMENTS: ReadonlySet<string> = new Set(
  Object.keys({createdAt: 0, receivedAt: 0, changedAt: 0} satisfies Record<Moment, 0>),
)

const MEMBERS = Object.keys({
  ...{id: 0, type: 0, createdAt: 0, receivedAt: 0, resourceType: 0, resourceVersion: 0, orderingKeys: 0},
  ...{traits: 0, sha256: 0, sizeBytes: 0, source: 0, status: 0, answer: 0, message: 0, attempts: 0},
  ...{changedAt: 0, hasConflict: 0, isInFlight: 0, sender: 0},
  ...{verification: 0, verificationReason: 0, orderNumber: 0, cause: 0},
} satisfies Record<Exclude<keyof InboxEvent, 'resolution'>, 0>) as (keyof InboxEvent)[]

/** Values before those of the event. */
const OWN = 7

function listOf(entry: Ungrouped): PlannedList {
  const {event, action, reason, detail, state, isUnsure, isNamed, isOpen} = entry
  const list: unknown[] = [action, reason, detail, state, isUnsure, isNamed, isOpen]
  for (const member of MEMBERS) {
    const value = event[member]
    list.push(value instanceof Date ? value.getTime() : value)
  }
  return list
}

function parseList(list: PlannedList): Ungrouped {
  const [action, reason, detail, state, isUnsure, isNamed, isOpen] = list as [
    Action,
    Reason | null,
    string | null,
    string | null,
    boolean,
    boolean,
    boolean,
  ]
  const event: Partial<Record<keyof InboxEvent, unknown>> = {}
  for (let at = 0; at < MEMBERS.length; at++) {
    const [member, value] = [MEMBERS[at] as keyof InboxEvent, list[OWN + at]]
    event[member] = typeof value === 'number' && MOMENTS.has(member) ? new Date(value) : value
  }
  return {event: event as unknown as InboxEvent, action, reason, detail, state, isUnsure, isNamed, isOpen}
}
