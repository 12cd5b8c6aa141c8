import {StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import type {Item, Result} from '../../runs/journal/item.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {describeGivenUp, isPresumedLost, readAttemptEnd} from '../../runs/pool/grace-period.js'
import type {FoundOrder} from '../compare-orders.js'
import type {Draft, OrderRules, ValidOrder} from '../draft/draft.js'
import type {OrderSource} from '../draft/read-options.js'
import {findOrders, LOOKED_FOR_AT_ONCE, type OrderShop} from '../order-client.js'
import {readDrafts} from '../read/read.js'
import {requireOrderRoute} from './order-response.js'
import {compareWithShop, IN_DOUBT, type Submission} from './submit-operation.js'

export interface ItemsDeps {
  readonly store: Pick<RunStore, 'findLedgerEntries'>
  readonly shop: OrderShop
  /** Name of the shop in ledger and lease. */
  readonly target: string
  /** The shop honours the key, so that an order without a response may be sent again at once. */
  readonly trustsKey: boolean
  /** A lost call that ended this long ago counts as not applied if the order is missing, ms; `undefined`: never. */
  readonly presumeLostAfterMs: number | undefined
  readonly clock: Pick<Clock, 'now'>
  /** The records were restored from a backup: any order may have been submitted since. */
  readonly isRestored: boolean
  /** Looks up every order in the shop, not only those submitted before. */
  readonly looksForAll: boolean
  readonly rules: OrderRules
  readonly stopping: AbortSignal
}

/**
 * The orders of checked inputs as items of a run, each with what is known about it: orders submitted before are looked
 * up in the shop, because only the shop knows whether they still exist.
 *
 * @throws StorectlError as `readDrafts`, `findOrders` and, where every order is looked for, `requireOrderRoute` do
 */
export async function* readOrderItems(
  {inputs, reading}: OrderSource,
  deps: Omit<ItemsDeps, 'rules'>,
): AsyncGenerator<readonly Item<Submission>[]> {
  if (deps.looksForAll) await requireOrderRoute(deps.shop)
  const knowing = {...deps, rules: reading.rules}
  let index = 0
  for (const [at, input] of inputs.entries()) {
    for await (const drafts of readDrafts(input, reading)) {
      for (let from = 0; from < drafts.length; from += LOOKED_FOR_AT_ONCE) {
        if (deps.stopping.aborted) return
        const some = drafts
          .slice(from, from + LOOKED_FOR_AT_ONCE)
          .map(draft => toItem(draft, index++, at, reading.rules))
        yield await withWhatIsKnown(some, knowing)
      }
    }
  }
}

function toItem(draft: Draft, index: number, input: number, rules: OrderRules): Item<Submission> {
  const order = draft.order as ValidOrder
  const {reference} = order
  const location = {input, listRanges: () => draft.source.listRanges()}
  const value = {index, order, body: draft.renderBody(), location}
  return {key: reference, orderingKey: reference, contentHash: rules.hashContent(order), value}
}

async function withWhatIsKnown(items: Item<Submission>[], deps: ItemsDeps): Promise<Item<Submission>[]> {
  const {store, target, shop, looksForAll, isRestored, rules} = deps
  const ledger = await store.findLedgerEntries(
    'submit',
    target,
    items.map(({key}) => key),
  )
  const doubtful = items.filter(({key}) => looksForAll || isRestored || mayBeInShop(ledger.get(key)))
  if (doubtful.length === 0) return items
  const found = await lookUpOrders(shop, doubtful, looksForAll)
  return items.map(item => {
    const entry = ledger.get(item.key)
    if (!doubtful.includes(item)) return item
    if (typeof found !== 'string') {
      const theirs = found.get(item.key)
      const known = theirs ? compareWithFound(item, theirs, rules, entry) : judgeMissing(entry, deps)
      return withKnown(item, known)
    }
    return entry?.resultClass === 'done'
      ? withKnown(item, compareWithLedger(item, entry))
      : {
          ...{...item, unsure: isRestored || entry !== undefined},
          attemptFacts: entry ? buildAttemptFacts(entry, deps) : LONG_AGO,
        }
  })
}

type Lost = Pick<ItemsDeps, 'trustsKey' | 'presumeLostAfterMs' | 'clock'>

/** What was stored with an attempt, and when it ended; one that may be repeated at once counts as ended long ago. */
function buildAttemptFacts({facts, at}: LedgerEntry, {trustsKey}: Pick<Lost, 'trustsKey'>): Result['facts'] {
  const endedAt = trustsKey ? new Date(0) : (readAttemptEnd(facts) ?? at)
  return {...facts, endedAt: endedAt.toISOString()}
}

/** For an attempt that the records lost: nothing waits for its end. */
const LONG_AGO: Result['facts'] = {endedAt: new Date(0).toISOString()}

/**
 * An order that the shop does not have proves nothing for some time after a lost call.
 *
 * @returns `undefined` if it may be sent
 */
function judgeMissing(entry: LedgerEntry | undefined, deps: Lost): Result | undefined {
  if (entry?.resultClass !== 'unknown') return undefined
  const facts = buildAttemptFacts(entry, deps)
  const endedAt = readAttemptEnd(facts)
  if (!endedAt || isPresumedLost(endedAt, deps.clock.now(), deps.presumeLostAfterMs)) return undefined
  const detail = describeGivenUp(endedAt, deps.presumeLostAfterMs, 'the order in the shop')
  return {resultClass: 'unknown', result: 'unknown', detail, facts, exit: 'unavailable'}
}

/** An order that the shop has or may have under a reference is looked up before anything is sent again. */
function mayBeInShop(entry: LedgerEntry | undefined): boolean {
  return entry !== undefined && (entry.resultClass !== 'failed' || entry.result === 'conflict')
}

/**
 * @param mustTell only the look-up is wanted
 * @returns `not-now` if the shop does not answer: then nothing is sent without another look-up
 */
async function lookUpOrders(shop: OrderShop, items: readonly Item<Submission>[], mustTell: boolean) {
  return findOrders(
    shop,
    items.map(({key}) => key),
  ).catch(error => {
    if (!mustTell && error instanceof StorectlError && error.exitName === 'unavailable')
      return 'not-now' as const
    throw error
  })
}

function withKnown(item: Item<Submission>, known: Result | undefined): Item<Submission> {
  return known ? {...item, value: {...item.value, known}} : item
}

/** @param entry an earlier run's result; an unknown one stays open while the contents differ */
function compareWithFound(
  {value, contentHash}: Item<Submission>,
  theirs: FoundOrder,
  rules: OrderRules,
  entry: LedgerEntry | undefined,
): Result {
  const isOpen = entry?.resultClass === 'unknown' && entry.contentHash === contentHash
  return (
    compareWithShop(value.order, theirs, rules, isOpen ? IN_DOUBT : {}) ?? {
      resultClass: 'done',
      result: 'exists',
      facts: {id: theirs.id},
    }
  )
}

/** For a shop that cannot be asked, the journal counts. */
function compareWithLedger({contentHash}: Item<Submission>, entry: LedgerEntry): Result {
  if (entry.contentHash === contentHash) {
    return {resultClass: 'done', result: 'exists', detail: `submitted by run ${entry.runId}`}
  }
  const detail = `run ${entry.runId} submitted different content under this reference`
  return {resultClass: 'failed', result: 'conflict', detail, exit: 'rejected'}
}
