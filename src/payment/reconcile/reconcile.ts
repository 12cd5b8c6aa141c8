import type {Clock} from '../../platform/clock.js'
import type {DriftRules} from '../drift/find-drift.js'
import {findDrift} from '../drift/find-drift.js'
import type {PaymentFacts, ProviderMovement, ProviderPayment, ShopPayment} from '../drift/payment-facts.js'
import {listDistinctMovements} from '../drift/sum-movements.js'
import type {PaymentShop} from '../search-rows.js'
import type {
  Candidate,
  ComparisonPosition,
  ComparisonStep,
  ComparisonStore,
  ReconcileProgress,
} from './comparison.js'
import type {FoundDrift} from './drift-row.js'
import {isDoubtful} from './is-doubtful.js'
import {lookUpProvider} from './look-up-provider.js'
import {listKeys, MovementIndex} from './movement-index.js'
import type {ProviderApi} from './provider-api.js'
import {fetchProviderOrder} from './provider-order.js'
import {fetchReport} from './provider-report.js'
import {
  findPaymentsById,
  findPaymentsByProviderOrder,
  listShopPayments,
  PAGE_SIZE,
  type PagePosition,
  type PaymentQuery,
} from './shop-payments.js'

/** The scope, and when a difference counts. */
export interface ReconcileOptions extends PaymentQuery, Omit<DriftRules, 'now'> {
  /** When the comparison began: the provider's report is read up to then. */
  readonly startedAt: Date
  /** Payments younger than this are looked up singly at the provider, as its report lags; milliseconds. */
  readonly minAgeMs: number
  /** Whether a payment is selected. */
  readonly matches?: ((payment: ShopPayment) => boolean) | undefined
}

export interface ReconcileDeps {
  readonly shop: PaymentShop
  readonly provider: ProviderApi
  readonly store: ComparisonStore
  readonly clock: Pick<Clock, 'now'>
  readonly signal: AbortSignal
}

/** Clocks differ, and a payment moves a moment before or after its order is stored. */
const MARGIN_MS = 24 * 3_600_000

/** Orders requested from the provider at the same time. */
const ASKED_AT_ONCE = 4

const NOTHING: ProviderPayment = {movements: [], voidedOrderIds: []}

/** A payment as both sides had it. */
type Suspect = PaymentFacts & {readonly shop: ShopPayment}

const AT_REST: ComparisonPosition = {phase: 'rest', after: ''}
const NOTHING_NEW = {candidates: [], found: [], taken: [], isLookedUp: false}

/**
 * Compares the payments of shop and provider, and stores its progress after each page: an interrupted comparison resumes
 * there.
 */
export class Reconciliation {
  readonly progress: ReconcileProgress = {payments: 0, movements: 0, asked: 0, found: 0}
  #position: ComparisonPosition
  /** Payments to look up again, on both sides, before they count as drift. */
  #candidates: Candidate[] = []
  /** How many of them are stored. */
  #storedCandidates = 0
  readonly #lacking = new Set<string>()
  readonly #shop: PaymentShop

  constructor(
    private readonly options: ReconcileOptions,
    private readonly deps: ReconcileDeps,
  ) {
    this.#position = {phase: 'report', sinceMs: options.since.getTime() - MARGIN_MS}
    this.#shop = {...deps.shop, lacking: this.#lacking}
  }

  /** Whether everything was compared. */
  get isComplete(): boolean {
    return this.#position.phase === 'done'
  }

  /**
   * The payments that differ, as they are found; those of a resumed comparison come first. The provider's report is read
   * first, then the shop, page by page; payments that seem to differ are looked up again on both sides, so that changes
   * meanwhile are not drift.
   *
   * @throws StorectlError as the clients of both sides do
   */
  async *run(): AsyncGenerator<readonly FoundDrift[], void, void> {
    const {store} = this.deps
    const stored = await store.readStep()
    if (stored) {
      this.#position = stored.position
      this.#candidates = [...stored.candidates]
      this.#storedCandidates = stored.candidates.length
      Object.assign(this.progress, stored.progress)
      yield* store.readFound()
    }
    if (this.#position.phase === 'report') await this.#readReport(this.#position.sinceMs)
    if (this.#position.phase === 'shop') yield* this.#compareShop(this.#position.page)
    if (this.#position.phase === 'rest') yield* this.#compareRest(this.#position.after)
  }

  async #readReport(sinceMs: number): Promise<void> {
    const {provider, store, signal} = this.deps
    for await (const page of fetchReport(new Date(sinceMs), this.options.startedAt, provider, signal)) {
      await store.add(page.movements)
      this.progress.movements += page.movements.length
      if (page.reachesUntil !== undefined) this.progress.reportedUntilMs ??= page.reachesUntil
      if (page.completeUntil === undefined) continue
      this.progress.movements = await store.countMovements()
      await this.#save({phase: 'report', sinceMs: page.completeUntil}, NOTHING_NEW)
    }
    if (!signal.aborted) await this.#save({phase: 'shop', page: null}, NOTHING_NEW)
  }

  async *#compareShop(start: PagePosition | null): AsyncGenerator<readonly FoundDrift[], void, void> {
    const {signal, store} = this.deps
    const {matches = () => true} = this.options
    const pages = listShopPayments(this.options, this.#shop, signal, start ?? undefined)
    for await (const {payments, next} of pages) {
      const movements = await store.find(listKeys(payments))
      const reported = new MovementIndex(movements)
      const meant = payments.filter(matches)
      this.progress.payments += meant.length
      for (const payment of meant) this.#addIfDoubtful({payment, reported: reported.find(payment)})
      const position = next ? {phase: 'shop' as const, page: next} : AT_REST
      yield* this.#advance(position, {taken: movements.map(({id}) => id), found: []})
      if (signal.aborted) return
    }
  }

  #addIfDoubtful(candidate: Candidate): void {
    const {startedAt, minAgeMs} = this.options
    const {reportedUntilMs = startedAt.getTime()} = this.progress
    // The report may say itself that it lags behind by more.
    const youngMs = minAgeMs === 0 ? 0 : Math.max(minAgeMs, startedAt.getTime() - reportedUntilMs)
    const age = {startedAt, minAgeMs: youngMs}
    if (isDoubtful(candidate, age, this.#buildRules())) this.#candidates.push(candidate)
  }

  #buildRules(): DriftRules {
    const {pendingAfterMs, expiringWithinMs, owedAfterMs} = this.options
    return {now: this.deps.clock.now(), pendingAfterMs, expiringWithinMs, owedAfterMs}
  }

  /**
   * Looks up the candidates once they fill a search, and stores the progress. Work aborted by the signal is not stored,
   * and so repeated.
   *
   * @param news ids of movements that were compared, and what was found without a candidate
   */
  async *#advance(
    position: ComparisonPosition,
    {taken, found}: Pick<ComparisonStep, 'taken' | 'found'>,
  ): AsyncGenerator<readonly FoundDrift[], void, void> {
    const isLookedUp = position.phase === 'done' || this.#candidates.length >= PAGE_SIZE
    const differ = [...found, ...(isLookedUp ? await this.#lookUp(this.#candidates.slice(0, PAGE_SIZE)) : [])]
    if (this.deps.signal.aborted) return
    if (isLookedUp) this.#candidates = this.#candidates.slice(PAGE_SIZE)
    const candidates = this.#candidates.slice(isLookedUp ? 0 : this.#storedCandidates)
    this.#storedCandidates = this.#candidates.length
    this.progress.found += differ.length
    await this.#save(position, {isLookedUp, candidates, found: differ, taken})
    if (differ.length > 0) yield differ
  }

  async #save(
    position: ComparisonPosition,
    news: Omit<ComparisonStep, 'position' | 'progress'>,
  ): Promise<void> {
    if (this.#lacking.size > 0) this.progress.hasNoDeliveries = true
    await this.deps.store.save({position, progress: this.progress, ...news})
    this.#position = position
  }

  /**
   * The candidates that differ, as both sides have them now. The shop is asked again only about those that differ from
   * the provider's present side.
   *
   * @param candidates at most as many as fit a search
   */
  async #lookUp(candidates: readonly Candidate[]): Promise<FoundDrift[]> {
    const suspected: Suspect[] = []
    for (let from = 0; from < candidates.length; from += ASKED_AT_ONCE) {
      if (this.deps.signal.aborted) return []
      const some = candidates.slice(from, from + ASKED_AT_ONCE)
      const asked = await Promise.all(some.map(each => this.#askProvider(each)))
      for (const [index, {payment: shop}] of some.entries()) {
        const provider = asked[index] ?? NOTHING
        if (this.#judge({shop, provider}).length > 0) suspected.push({shop, provider})
      }
    }
    return this.#confirm(suspected)
  }

  async #confirm(suspected: readonly Suspect[]): Promise<FoundDrift[]> {
    const provider = new Map(suspected.map(each => [each.shop.orderId, each.provider]))
    const now = await this.#findById(suspected.map(({shop}) => shop.live.id))
    return now.flatMap(shop => this.#judge({shop, provider: provider.get(shop.orderId) ?? NOTHING}))
  }

  /** The provider's present side replaces its report. */
  async #askProvider(candidate: Candidate): Promise<ProviderPayment> {
    const {provider, signal} = this.deps
    const {there, asked} = await lookUpProvider(candidate, provider, signal)
    this.progress.asked += asked
    return there
  }

  #findById(ids: readonly string[]): Promise<ShopPayment[]> {
    return findPaymentsById(ids, this.#shop, this.deps.signal)
  }

  #judge(facts: PaymentFacts): FoundDrift[] {
    const drift = findDrift(facts, this.#buildRules())
    return drift ? [{facts, drift}] : []
  }

  /** Reported movements of payments that began at another time, or that the shop does not have. */
  async *#compareRest(start: string): AsyncGenerator<readonly FoundDrift[], void, void> {
    const {store, signal} = this.deps
    const {since, until} = this.options
    for (let after = start; !signal.aborted; ) {
      const {movements, last} = await store.listRest({since, until, after, size: PAGE_SIZE})
      if (movements.length === 0) break
      const payments = await this.#findNamed(new MovementIndex(movements))
      // Their other movements may have other names, and would come in a later page.
      const others = await store.find(listKeys(payments))
      const all = listDistinctMovements([...movements, ...others])
      const index = new MovementIndex(all)
      for (const payment of payments) this.#addOther(payment, index.take(payment))
      const found = this.#isNarrowed() ? [] : await this.#judgeUnknown(index)
      after = last
      yield* this.#advance({phase: 'rest', after}, {taken: all.map(({id}) => id), found})
    }
    if (!signal.aborted) yield* this.#advance({phase: 'done'}, {taken: [], found: []})
  }

  /** The payments that movements name: by their transactions, and the others by the provider's orders. */
  async #findNamed(named: MovementIndex): Promise<ShopPayment[]> {
    const {signal} = this.deps
    const payments = await this.#findById(named.listTransactionIds())
    for (const payment of payments) named.take(payment)
    const orderIds = new MovementIndex(named.listRest().flat()).listOrderIds()
    for (let from = 0; from < orderIds.length; from += PAGE_SIZE)
      payments.push(
        ...(await findPaymentsByProviderOrder(orderIds.slice(from, from + PAGE_SIZE), this.#shop, signal)),
      )
    return [...new Map(payments.map(payment => [payment.orderId, payment])).values()]
  }

  #addOther(payment: ShopPayment, reported: readonly ProviderMovement[]): void {
    const {salesChannel, matches = () => true} = this.options
    const isMeant = (salesChannel ?? payment.salesChannelId) === payment.salesChannelId && matches(payment)
    if (!isMeant) return
    this.progress.payments++
    this.#addIfDoubtful({payment, reported})
  }

  /** A payment that the shop does not have has no sales channel and no state: it is reported only without filters. */
  #isNarrowed(): boolean {
    return this.options.salesChannel !== undefined || this.options.matches !== undefined
  }

  /** Other systems may share the provider's account: only money that names a transaction of a shop counts. */
  async #judgeUnknown(index: MovementIndex): Promise<FoundDrift[]> {
    const rows: FoundDrift[] = []
    for (const movements of index.listRest()) {
      const drift = findDrift(
        {shop: undefined, provider: {movements, voidedOrderIds: []}},
        this.#buildRules(),
      )
      if (!drift || movements.every(({transactionId}) => transactionId === null)) continue
      rows.push(...this.#judge({shop: undefined, provider: await this.#askUnknown(movements)}))
    }
    return rows
  }

  /** The provider's side of money that the shop does not have. */
  async #askUnknown(movements: readonly ProviderMovement[]): Promise<ProviderPayment> {
    const [{orderId}] = movements as [ProviderMovement]
    const reported = {movements, voidedOrderIds: []}
    if (orderId === null) return reported
    this.progress.asked++
    const transactionIds = movements.flatMap(({transactionId}) => transactionId ?? [])
    const {provider, signal} = this.deps
    const {isKnown, ...now} = await fetchProviderOrder({orderId, transactionIds}, provider, signal)
    return isKnown ? now : reported
  }
}
