import fc from 'fast-check'
import type {PaymentFacts, ProviderMovement, ShopTransaction} from '../../src/payment/drift/payment-facts.js'

/** What happened to a payment, told as a story: what the provider did, in turn, and how much of it the shop followed. */
export interface Story {
  readonly currency: 'EUR' | 'JPY' | 'KWD'
  /** Smallest units. */
  readonly units: number
  readonly acts: readonly Act[]
  /** Acts that the shop followed: the first so many. */
  readonly followed: number
  /** Whether the shop cancelled in the end, whatever it had followed. */
  readonly gaveUp: boolean
  /** Whether an earlier attempt was given up without money. */
  readonly hadAttempt: boolean
}

type Act =
  | 'authorize'
  | 'hold'
  | 'decline'
  | 'capture'
  | 'capture half'
  | 'capture rest'
  | 'refund'
  | 'refund half'

/** The courses that a payment can take at the provider. */
const COURSES: readonly (readonly Act[])[] = [
  [],
  ['hold'],
  ['decline'],
  ['authorize'],
  ['authorize', 'capture'],
  ['capture'],
  ['capture half'],
  ['capture half', 'capture rest'],
  ['capture', 'refund'],
  ['capture', 'refund half'],
  ['capture half', 'capture rest', 'refund half'],
  ['capture', 'capture'],
  ['capture', 'capture', 'refund'],
]

export const stories: fc.Arbitrary<Story> = fc.constantFrom(...COURSES).chain(acts =>
  fc.record({
    currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    units: fc.integer({min: 2, max: 10_000_000}),
    acts: fc.constant(acts),
    followed: fc.integer({min: 0, max: acts.length}),
    gaveUp: fc.boolean(),
    hadAttempt: fc.boolean(),
  }),
)

/** The state that a shop comes to that follows acts one by one. */
function follow(acts: readonly Act[]): string {
  let state = 'open'
  let captures = 0
  for (const act of acts) {
    if (act === 'authorize') state = 'authorized'
    if (act === 'hold') state = 'unconfirmed'
    if (act === 'decline') state = 'cancelled'
    if (act === 'capture' || act === 'capture rest') state = 'paid'
    if (act === 'capture half') state = 'paid_partially'
    if (act.startsWith('capture')) captures++
    if (act === 'refund half') state = 'refunded_partially'
    // What is given back of two captures leaves one.
    if (act === 'refund') state = captures > 1 ? 'paid' : 'refunded'
  }
  return state
}

/** The kind of drift that a story is, told by its course alone. */
export function tellKind({acts, followed, gaveUp}: Story): string | undefined {
  const course = acts.join(', ')
  const missed = acts.slice(followed)
  const known = acts.slice(0, followed).filter(act => act.startsWith('capture'))
  const isBackWhole = course === 'capture, refund'
  if (course === 'hold') return 'pending'
  if (course === 'capture, capture') return 'captured-twice'
  if (!course.includes('capture')) {
    return course === 'decline' && followed === 0 && !gaveUp ? 'cancelled-at-provider' : undefined
  }
  if (gaveUp) return isBackWhole ? undefined : 'cancelled-late'
  if (isBackWhole) return missed.length > 0 ? 'refund-missed' : undefined
  if (course === 'capture, capture, refund') return known.length === 0 ? 'capture-missed' : undefined
  if (missed.length === 0) return undefined
  if (course === 'capture half') return 'partial-missed'
  if (course.endsWith('refund half')) return known.length === 0 ? 'capture-missed' : 'partial-missed'
  return 'capture-missed'
}

export const NOW = new Date('2026-11-20T12:00:00Z')
const BEGUN = new Date('2026-11-17T12:00:00Z')

/** What shop and provider have of a story. */
export function tellFacts({currency, units, acts, followed, gaveUp, hadAttempt}: Story): PaymentFacts {
  const state = gaveUp ? 'cancelled' : follow(acts.slice(0, followed))
  const live: ShopTransaction = {id: 'b'.repeat(32), state, createdAt: BEGUN, providerOrderId: 'ORDER2'}
  const old = {id: 'a'.repeat(32), state: 'cancelled', createdAt: new Date(0), providerOrderId: 'ORDER1'}
  const shop = {
    ...{orderId: 'c'.repeat(32), orderNumber: '10001', orderState: 'open', salesChannelId: null},
    ...{units, currency, live, earlier: hadAttempt ? [old] : []},
  }
  const firstCapture = acts.findIndex(act => act.startsWith('capture'))
  const half = Math.floor(units / 2)
  const movements = acts.map((act, index): ProviderMovement => {
    const [verb, part] = act.split(' ')
    const kind = verb === 'authorize' ? 'authorization' : verb === 'refund' ? 'refund' : 'capture'
    return {
      ...{
        id: `M${index}`,
        kind,
        currency,
        at: BEGUN,
        orderId: 'ORDER2',
        transactionId: live.id,
        invoiceId: '10001',
      },
      status: act === 'hold' ? 'pending' : act === 'decline' ? 'declined' : 'done',
      units: part === undefined ? units : part === 'half' ? half : units - half,
      captureId: kind === 'refund' ? `M${firstCapture}` : null,
      isFinal: kind === 'capture' ? part !== 'half' : undefined,
    }
  })
  return {shop, provider: {movements, voidedOrderIds: []}}
}
