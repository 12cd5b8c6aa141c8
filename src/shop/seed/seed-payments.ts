import {REPORT_LAG_KEY} from '../provider/report.js'
import {deriveStateId} from '../runtime/base-data.js'
import {addProviderPayments} from '../store/provider-payments.js'
import type {ProviderOrderRow, ProviderPaymentRow, ShopDatabase} from '../store/schema/schema.js'
import {writeConfig} from '../store/schema/system-config.js'
import {
  type Attempt,
  type Movement,
  type PaymentStory,
  STORIES_IN_STEP,
  STORIES_OF_DRIFT,
} from './payment-stories.js'
import {ORDERS_AT_ONCE, seedInBatches} from './seed.js'
import {orderBatches} from './seed-batches.js'
import {buildOrder, drawTransaction, type SeededOrder} from './seed-orders.js'
import {deriveSeededId, SeededRandom} from './seeded-random.js'

/** Recent payments that both shop and provider have. */
export interface SeededPayments {
  readonly count: number
  /** Share of payments on which they differ, 0 to 1; evenly distributed over the kinds of drift. */
  readonly drift: number
  /** How long a movement takes to appear in the provider's report, milliseconds. */
  readonly reportLagMs?: number | undefined
}

interface SeedOf {
  readonly seed: number
  /** Number of customers. */
  readonly customers: number
  readonly now: Date
}

interface SeedPaymentsDeps {
  readonly db: ShopDatabase
  readonly signal: AbortSignal
  readonly onProgress: (made: number) => void
}

/** Payments have positions of their own, after those of all orders. */
const FIRST_ORDINAL = 20_000_000

const HOUR_MS = 3_600_000

/** Payments are between half a day and 6½ days old: within the default period of a reconciliation. */
const [OLDEST_MS, NEWEST_MS] = [156 * HOUR_MS, 12 * HOUR_MS]

/** Age of payments that the provider holds back: enough to count as drift. */
const HELD_BACK_MS = 60 * HOUR_MS

/**
 * Adds payments with the data of both shop and provider. Ids, amounts and stories follow from the seed; times are
 * counted back from `now`. Existing rows stay unchanged.
 */
export async function seedPayments(
  payments: SeededPayments,
  of: SeedOf,
  deps: SeedPaymentsDeps,
): Promise<void> {
  const {db, onProgress} = deps
  const {count, drift, reportLagMs} = payments
  const period = drift > 0 ? Math.max(1, Math.round(1 / drift)) : Number.POSITIVE_INFINITY
  const cached = new Map<number, SeededPayment>()
  const draw = (ordinal: number) => {
    const made = cached.get(ordinal) ?? buildPayment(ordinal, period, of)
    cached.set(ordinal, made)
    return made
  }
  const add = orderBatches(
    db,
    ordinal => draw(ordinal).order,
    false,
    async (write, ordinals) => {
      const made = ordinals.map(draw)
      await addProviderPayments(
        write,
        made.flatMap(({orders}) => orders),
        made.flatMap(({movements}) => movements),
      )
      for (const ordinal of ordinals) cached.delete(ordinal)
    },
  )
  if (reportLagMs !== undefined) {
    await db.writes.run(write => writeConfig(write, REPORT_LAG_KEY, String(reportLagMs)))
  }
  await seedInBatches({from: 0, to: count, size: ORDERS_AT_ONCE}, deps, async (from, to) => {
    await add(from, to)
    onProgress(to)
  })
}

interface SeededPayment {
  readonly order: SeededOrder
  readonly orders: readonly ProviderOrderRow[]
  readonly movements: readonly ProviderPaymentRow[]
}

/** The payment at a position, from 0. */
function buildPayment(ordinal: number, period: number, {seed, customers, now}: SeedOf): SeededPayment {
  const orderOrdinal = FIRST_ORDINAL + ordinal
  const random = new SeededRandom(seed, 'payment', ordinal)
  const {kind, story} = chooseStory(ordinal, period, random)
  const spanMs = OLDEST_MS - (kind === 'pending' ? HELD_BACK_MS : NEWEST_MS)
  const at = new Date(now.getTime() - OLDEST_MS + random.drawBelow(spanMs))
  const transaction = drawTransaction(seed, orderOrdinal)
  const order = buildOrder(seed, orderOrdinal, customers)
  const attempts = story.map((each, index) => {
    const isFirst = index === 0
    const suffix = isFirst ? {id: transaction.id} : {id: deriveSeededId(seed, 'payment_retry', orderOrdinal)}
    const providerOrderId = `${transaction.providerOrderId.slice(0, 16)}${index}`
    const begunAt = new Date(at.getTime() + index * HOUR_MS)
    return {...each, ...suffix, providerOrderId, begunAt}
  })
  const total = transaction.amountTotal
  return {
    order: replaceTransactions(order, attempts, at),
    orders: attempts.map(each => buildProviderOrder(each, transaction.orderNumber, total)),
    movements: attempts.flatMap(each => buildMovements(each, total)),
  }
}

/** At regular intervals a payment differs; kinds and their variants take turns. */
function chooseStory(
  ordinal: number,
  period: number,
  random: SeededRandom,
): {kind?: string; story: PaymentStory} {
  if ((ordinal + 1) % period === 0) {
    const turn = Math.floor(ordinal / period)
    const [kind, ways] = STORIES_OF_DRIFT[turn % STORIES_OF_DRIFT.length] as (typeof STORIES_OF_DRIFT)[number]
    const way = Math.floor(turn / STORIES_OF_DRIFT.length) % ways.length
    return {kind, story: ways[way] as PaymentStory}
  }
  let left = random.drawBelow(100)
  for (const [share, story] of STORIES_IN_STEP) {
    left -= share
    if (left < 0) return {story}
  }
  throw new Error('the shares of the stories come to less than 100')
}

interface Made extends Attempt {
  readonly id: string
  readonly providerOrderId: string
  readonly begunAt: Date
}

/** A payment that is unknown to the shop has no order either. */
function replaceTransactions(order: SeededOrder, attempts: readonly Made[], createdAt: Date): SeededOrder {
  if (attempts.every(({state}) => state === undefined)) return NO_ORDER
  const [first] = order.order_transaction
  const date = {createdAt, orderDateTime: createdAt, orderDate: createdAt.toISOString().slice(0, 10)}
  const known = attempts.filter(({state}) => state !== undefined)
  return {
    ...order,
    order: order.order.map(row => ({...row, ...date, stateId: deriveStateId('order.state', 'open')})),
    order_transaction: known.map(({id, state, providerOrderId, begunAt}) => ({
      ...{...first, id, createdAt: begunAt},
      stateId: deriveStateId('order_transaction.state', state ?? ''),
      customFields: {swag_paypal_order_id: providerOrderId},
    })),
  }
}

const NO_ORDER: SeededOrder = {
  ...{order: [], order_customer: [], order_address: [], order_line_item: [], order_delivery: []},
  order_transaction: [],
}

function buildProviderOrder(
  {id, providerOrderId, outcome, status, begunAt}: Made,
  orderNumber: string,
  total: number,
): ProviderOrderRow {
  return {
    ...{id: providerOrderId, custom_id: id, invoice_id: orderNumber, amount: total.toFixed(2)},
    ...{currency: 'EUR', status, outcome, created_at: begunAt.toISOString()},
  }
}

/** The last letter of the ids of their events at the provider. */
const LETTERS: Readonly<Record<Movement['kind'], string>> = {authorization: 'A', refund: 'B', capture: 'C'}

/** One movement in a minute. */
function buildMovements(
  {id, providerOrderId, movements, begunAt}: Made,
  total: number,
): ProviderPaymentRow[] {
  const buildId = (kind: Movement['kind'], index: number) => {
    const isFirst = movements.findIndex(each => each.kind === kind) === index
    return `${id.slice(-16).toUpperCase()}${isFirst ? LETTERS[kind] : index}`
  }
  const captureId = buildId(
    'capture',
    movements.findIndex(({kind}) => kind === 'capture'),
  )
  return movements.map(({kind, share = 1, status = 'COMPLETED', isFinal = true}, index) => ({
    ...{id: buildId(kind, index), order_id: providerOrderId, kind, currency: 'EUR', status},
    capture_id: kind === 'refund' ? captureId : null,
    amount: computeShare(total, share, index),
    final: isFinal ? 1 : 0,
    created_at: new Date(begunAt.getTime() + (index + 1) * 60_000).toISOString(),
  }))
}

/** Halves are exact: the second is the rest after the first. */
function computeShare(total: number, share: number, index: number): string {
  const cents = Math.round(total * 100)
  const part = share === 0.5 && index > 0 ? cents - Math.floor(cents / 2) : Math.floor(cents * share)
  return (part / 100).toFixed(2)
}
