import type {Clock} from '../../platform/clock.js'
import type {DriftRules} from '../drift/find-drift.js'
import {findDrift} from '../drift/find-drift.js'
import type {PaymentFacts, ProviderMovement, ProviderPayment, ShopPayment} from '../drift/payment-facts.js'
import type {FoundDrift} from './drift-row.js'
import {listKeys, MovementIndex} from './movement-index.js'
import type {MovementStore} from './movement-store.js'
import type {ProviderApi} from './provider-api.js'
import {fetchProviderOrder} from './provider-order.js'
import {fetchReport} from './provider-report.js'
import {
  findShopPayments,
  listShopPayments,
  PAGE_SIZE,
  type PaymentQuery,
  type PaymentShop,
} from './shop-payments.js'

/** What is compared, and when a difference counts. */
export interface ReconcileOptions extends PaymentQuery {
  /** What the provider holds back for less than this is no drift, milliseconds. */
  readonly pendingAfterMs: number
  /** The provider is asked singly about payments younger than this, as its report lags; milliseconds. */
  readonly minAgeMs: number
  /** Whether a payment is meant. */
  readonly matches?: ((payment: ShopPayment) => boolean) | undefined
}

export interface ReconcileDeps {
  readonly shop: PaymentShop
  readonly provider: ProviderApi
  readonly store: MovementStore
  readonly clock: Pick<Clock, 'now'>
  readonly signal: AbortSignal
}

/** How far a reconciliation is. */
export interface ReconcileProgress {
  /** Payments of the shop that were compared. */
  payments: number
  /** Movements of the provider that were read. */
  movements: number
  /** Orders that the provider was asked for singly. */
  asked: number
  /** Payments that differ. */
  found: number
}

/** Clocks differ, and a payment moves a moment before or after its order is stored. */
const MARGIN_MS = 24 * 3_600_000

/** Orders that the provider is asked for at the same time. */
const ASKED_AT_ONCE = 4

const NOTHING: ProviderPayment = {movements: [], voidedOrderIds: []}

/** States in which the shop waits: whether the provider has cancelled such a payment is in no report. */
const WAITING = new Set(['open', 'unconfirmed', 'in_progress', 'authorized', 'reminded'])

/** Compares the payments of shop and provider. */
export class Reconciliation {
  readonly progress: ReconcileProgress = {payments: 0, movements: 0, asked: 0, found: 0}
  /** Payments to be looked at once more, on both sides, before they are called drift. */
  #candidates: ShopPayment[] = []
  #reported = new Map<string, ProviderPayment>()
  /** Orders of another time that were compared: their movements may come in several batches. */
  readonly #others = new Set<string>()

  constructor(
    private readonly options: ReconcileOptions,
    private readonly deps: ReconcileDeps,
  ) {}

  /**
   * The payments that differ, as they are found. The provider's report is read first, then the shop, page by page; what
   * seems to differ is looked up again on both sides, so that what changes meanwhile is no drift.
   *
   * @throws StorectlError as the clients of both sides do
   */
  async *run(): AsyncGenerator<readonly FoundDrift[], void, void> {
    const {signal, shop} = this.deps
    await this.#readReport()
    for await (const page of listShopPayments(this.options, shop, signal)) yield* this.#compare(page)
    yield* this.#flush()
    yield* this.#compareRest()
    yield* this.#flush()
  }

  async #readReport(): Promise<void> {
    const {provider, store, clock, signal} = this.deps
    const since = new Date(this.options.since.getTime() - MARGIN_MS)
    for await (const movements of fetchReport(since, clock.now(), provider, signal)) {
      await store.add(movements)
      this.progress.movements = store.count
    }
  }

  /** Compares payments of the shop with what was reported of them. */
  async *#compare(page: readonly ShopPayment[]): AsyncGenerator<readonly FoundDrift[], void, void> {
    const reported = new MovementIndex(await this.deps.store.take(listKeys(page)))
    const {matches = () => true} = this.options
    const meant = page.filter(matches)
    this.progress.payments += meant.length
    for (const payment of meant) {
      const movements = reported.find(payment)
      if (!this.#isDoubtful(payment, movements)) continue
      this.#addCandidate(payment, movements)
      if (this.#candidates.length >= PAGE_SIZE) yield* this.#flush()
    }
  }

  /** Whether what the report has may be drift, or is less than the provider has. */
  #isDoubtful(payment: ShopPayment, movements: readonly ProviderMovement[]): boolean {
    if (findDrift({shop: payment, provider: {movements, voidedOrderIds: []}}, this.#buildRules())) return true
    const {state, createdAt, providerOrderId} = payment.live
    if (movements.length > 0 || providerOrderId === null) return false
    const isYoung = this.deps.clock.now().getTime() - createdAt.getTime() < this.options.minAgeMs
    return isYoung || WAITING.has(state)
  }

  #buildRules(): DriftRules {
    return {now: this.deps.clock.now(), pendingAfterMs: this.options.pendingAfterMs}
  }

  /** Looks the candidates up on both sides. */
  async *#flush(): AsyncGenerator<readonly FoundDrift[], void, void> {
    const [candidates, reported] = [this.#candidates, this.#reported]
    this.#candidates = []
    this.#reported = new Map()
    for (let from = 0; from < candidates.length; from += ASKED_AT_ONCE) {
      if (this.deps.signal.aborted) return
      const some = candidates.slice(from, from + ASKED_AT_ONCE)
      await Promise.all(some.map(payment => this.#askProvider(payment, reported)))
    }
    const fresh = await this.#findShop(candidates.map(({live}) => live.id))
    const rows = fresh.flatMap(shop => this.#judge({shop, provider: reported.get(shop.orderId) ?? NOTHING}))
    if (rows.length > 0) yield rows
  }

  #addCandidate(payment: ShopPayment, movements: readonly ProviderMovement[]): void {
    this.#candidates.push(payment)
    this.#reported.set(payment.orderId, {movements, voidedOrderIds: []})
  }

  /** What the provider says now goes before what it reported. */
  async #askProvider(payment: ShopPayment, reported: Map<string, ProviderPayment>): Promise<void> {
    let known = reported.get(payment.orderId) ?? NOTHING
    for (const orderId of listKeys([payment]).orderIds) {
      const found = (await this.#fetchOrder(orderId)) ?? NOTHING
      const movements = [...known.movements, ...found.movements]
      known = {movements, voidedOrderIds: [...known.voidedOrderIds, ...found.voidedOrderIds]}
    }
    reported.set(payment.orderId, known)
  }

  #fetchOrder(orderId: string): Promise<ProviderPayment | undefined> {
    this.progress.asked++
    return fetchProviderOrder(orderId, this.deps.provider, this.deps.signal)
  }

  #findShop(transactionIds: readonly string[], orderIds: readonly string[] = []): Promise<ShopPayment[]> {
    return findShopPayments({transactionIds, orderIds}, this.deps.shop, this.deps.signal)
  }

  #judge(facts: PaymentFacts): FoundDrift[] {
    const drift = findDrift(facts, this.#buildRules())
    if (!drift) return []
    this.progress.found++
    return [{facts, drift}]
  }

  /** What was reported of payments that began at another time, or that the shop does not know. */
  async *#compareRest(): AsyncGenerator<readonly FoundDrift[], void, void> {
    const {store, signal} = this.deps
    const {since, until} = this.options
    while (!signal.aborted) {
      const movements = await store.takeRest(since, until, PAGE_SIZE)
      if (movements.length === 0) return
      const index = new MovementIndex(movements)
      const found = await this.#findShop(index.listTransactionIds(), index.listOrderIds())
      for (const payment of found) this.#addOther(payment, index.take(payment))
      if (!this.#isNarrowed()) yield await this.#judgeUnknown(index)
      if (this.#candidates.length >= PAGE_SIZE) yield* this.#flush()
    }
  }

  #addOther(payment: ShopPayment, movements: readonly ProviderMovement[]): void {
    const {salesChannel, matches = () => true} = this.options
    const isMeant = (salesChannel ?? payment.salesChannelId) === payment.salesChannelId && matches(payment)
    if (!isMeant || this.#others.has(payment.orderId)) return
    this.#others.add(payment.orderId)
    this.progress.payments++
    if (!this.#isDoubtful(payment, movements)) return
    this.#addCandidate(payment, movements)
  }

  /** What the shop does not know has no sales channel and no state: it is looked for among all payments alone. */
  #isNarrowed(): boolean {
    return this.options.salesChannel !== undefined || this.options.matches !== undefined
  }

  /** Other systems may share the provider's account: only what names a transaction of a shop is meant. */
  async #judgeUnknown(index: MovementIndex): Promise<FoundDrift[]> {
    const rows: FoundDrift[] = []
    for (const movements of index.listRest()) {
      const drift = findDrift(
        {shop: undefined, provider: {movements, voidedOrderIds: []}},
        this.#buildRules(),
      )
      const [{orderId}] = movements as [ProviderMovement]
      if (!drift || movements.every(({transactionId}) => transactionId === null)) continue
      const now = orderId === null ? undefined : await this.#fetchOrder(orderId)
      const all = [...movements, ...(now?.movements ?? [])]
      rows.push(...this.#judge({shop: undefined, provider: {movements: all, voidedOrderIds: []}}))
    }
    return rows
  }
}
