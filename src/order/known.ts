import {StorectlError} from '../errors.js'
import type {Conclusion, Item} from '../run/item.js'
import type {LedgerEntry} from '../run/record.js'
import type {RunStore} from '../run/store.js'
import {contentHash} from '../wire/fulfillment-order/content-hash.js'
import type {FulfillmentOrder} from '../wire/fulfillment-order/schema.js'
import {findOrders, LOOKED_FOR_AT_ONCE, type OrderShop} from './api.js'
import type {FoundOrder} from './compare.js'
import {type Submission, verdictOn} from './deeds.js'
import type {Draft} from './read/draft.js'
import {draftsOf, type OrderInput} from './read/drafts.js'

export interface ItemsDeps {
  readonly store: Pick<RunStore, 'ledger'>
  readonly shop: OrderShop
  /** Name of the shop in ledger and lease. */
  readonly target: string
  /** Looks for every order in the shop, not only for those that were submitted before. */
  readonly looksForAll: boolean
  readonly stopping: AbortSignal
}

/**
 * The orders of a checked input as items of a run, each with what is known of it: what was submitted before is looked
 * for in the shop, because only the shop can say that it is still there.
 *
 * @throws StorectlError as `draftsOf` and `findOrders` do
 */
export async function* itemsOf(input: OrderInput, deps: ItemsDeps): AsyncGenerator<Item<Submission>> {
  let index = 0
  for await (const drafts of draftsOf(input)) {
    for (let from = 0; from < drafts.length; from += LOOKED_FOR_AT_ONCE) {
      if (deps.stopping.aborted) return
      const some = drafts.slice(from, from + LOOKED_FOR_AT_ONCE).map(draft => itemOf(draft, index++))
      yield* await withWhatIsKnown(some, deps)
    }
  }
}

function itemOf({order, body}: Draft, index: number): Item<Submission> {
  const sound = order as FulfillmentOrder
  const {reference} = sound
  const value = {index, order: sound, body: body()}
  return {key: reference, lane: reference, contentHash: contentHash(sound), value}
}

async function withWhatIsKnown(items: Item<Submission>[], deps: ItemsDeps): Promise<Item<Submission>[]> {
  const {store, target, shop, looksForAll} = deps
  const ledger = await store.ledger(
    'submit',
    target,
    items.map(({key}) => key),
  )
  const doubtful = items.filter(({key}) => looksForAll || (ledger.get(key)?.grade ?? 'failed') !== 'failed')
  if (doubtful.length === 0) return items
  const found = await looked(shop, doubtful, looksForAll)
  return items.map(item => {
    const entry = ledger.get(item.key)
    if (!doubtful.includes(item)) return item
    if (typeof found !== 'string') return withKnown(item, inShop(item, found.get(item.key)))
    return entry?.grade === 'done'
      ? withKnown(item, byLedger(item, entry))
      : {...item, unsure: entry !== undefined}
  })
}

/**
 * @param mustTell a look is all that is wanted
 * @returns `not-now` when the shop does not answer: nothing is sent then without another look
 */
async function looked(shop: OrderShop, items: readonly Item<Submission>[], mustTell: boolean) {
  return findOrders(
    shop,
    items.map(({key}) => key),
  ).catch(error => {
    if (!mustTell && error instanceof StorectlError && error.exitName === 'unavailable')
      return 'not-now' as const
    throw error
  })
}

function withKnown(item: Item<Submission>, known: Conclusion | undefined): Item<Submission> {
  return known ? {...item, value: {...item.value, known}} : item
}

function inShop({value}: Item<Submission>, theirs: FoundOrder | undefined): Conclusion | undefined {
  if (!theirs) return undefined
  return verdictOn(value.order, theirs) ?? {grade: 'done', outcome: 'exists', facts: {id: theirs.id}}
}

/** For a shop that cannot be asked, what was written down counts. */
function byLedger({contentHash}: Item<Submission>, entry: LedgerEntry): Conclusion {
  if (entry.contentHash === contentHash) {
    return {grade: 'done', outcome: 'exists', detail: `submitted by run ${entry.runId}`}
  }
  const detail = `run ${entry.runId} submitted another content under this reference`
  return {grade: 'failed', outcome: 'conflict', detail, exit: 'rejected'}
}
