import type {ProviderPaymentRow} from '../store/schema/schema.js'

/** A payment attempt: a transaction of the shop, and the provider's data of it. */
export interface Attempt {
  /** Technical name; `undefined` where the shop has no such transaction. */
  readonly state: string | undefined
  /** Status of the provider's order; `ABSENT` where the provider knows none. */
  readonly status: 'APPROVED' | 'COMPLETED' | 'VOIDED' | 'ABSENT'
  /** The shop's state that matches the provider's data. */
  readonly outcome: string
  readonly movements: readonly Movement[]
}

/** A movement of money at the provider. */
export interface Movement {
  readonly kind: ProviderPaymentRow['kind']
  /** Share of the order's amount. Default 1. */
  readonly share?: number
  /** Default `COMPLETED`. */
  readonly status?: string
  /** Default true. */
  readonly isFinal?: boolean
}

/** The course of a payment: its attempts in order; the last one counts. */
export type PaymentStory = readonly Attempt[]

const CAPTURE: Movement = {kind: 'capture'}
const HALF: Movement = {kind: 'capture', share: 0.5, isFinal: false}
const REST: Movement = {kind: 'capture', share: 0.5}
const REFUND: Movement = {kind: 'refund'}
const HALF_REFUND: Movement = {kind: 'refund', share: 0.5}
const PENDING: Movement = {kind: 'capture', status: 'PENDING'}
const DECLINED: Movement = {kind: 'capture', status: 'DECLINED'}
const AUTHORIZATION: Movement = {kind: 'authorization', status: 'CREATED'}

const attempt = (state: string | undefined, outcome: string, ...movements: Movement[]): Attempt => ({
  ...{state, outcome, movements},
  status: outcome === 'open' ? 'APPROVED' : movements.length === 0 ? 'VOIDED' : 'COMPLETED',
})

const ABANDONED = attempt('cancelled', 'open')

/** Payments on which shop and provider agree, with their frequency in percent. */
export const STORIES_IN_STEP: readonly (readonly [share: number, story: PaymentStory])[] = [
  [60, [attempt('paid', 'paid', CAPTURE)]],
  [8, [attempt('open', 'open')]],
  [6, [attempt('refunded', 'refunded', CAPTURE, REFUND)]],
  [4, [attempt('refunded_partially', 'refunded_partially', CAPTURE, HALF_REFUND)]],
  [5, [attempt('authorized', 'authorized', AUTHORIZATION)]],
  [5, [attempt('cancelled', 'cancelled', DECLINED)]],
  [2, [attempt('cancelled', 'cancelled')]],
  [4, [attempt('paid', 'paid', HALF, REST)]],
  [3, [attempt('paid_partially', 'paid_partially', HALF)]],
  [3, [ABANDONED, attempt('paid', 'paid', CAPTURE)]],
]

/** The kinds of drift in the order of seeding, each with its variants. */
export const STORIES_OF_DRIFT: readonly (readonly [kind: string, stories: readonly PaymentStory[]])[] = [
  [
    'capture-missed',
    ['open', 'unconfirmed', 'in_progress', 'authorized'].map(state => [attempt(state, 'paid', CAPTURE)]),
  ],
  ['refund-missed', [[attempt('paid', 'refunded', CAPTURE, REFUND)]]],
  [
    'partial-missed',
    [
      [attempt('paid', 'refunded_partially', CAPTURE, HALF_REFUND)],
      [attempt('open', 'paid_partially', HALF)],
    ],
  ],
  [
    'cancelled-late',
    [[attempt('cancelled', 'paid', CAPTURE)], [ABANDONED, attempt('failed', 'paid', CAPTURE)]],
  ],
  ['cancelled-at-provider', [[attempt('open', 'cancelled', DECLINED)], [attempt('authorized', 'cancelled')]]],
  ['amount-differs', [[attempt('paid', 'paid', {...CAPTURE, share: 0.9})]]],
  [
    'captured-twice',
    [
      [attempt('paid', 'paid', CAPTURE, CAPTURE)],
      [attempt('cancelled', 'paid', CAPTURE), attempt('paid', 'paid', CAPTURE)],
    ],
  ],
  ['unknown-at-provider', [[{state: 'paid', outcome: 'open', status: 'ABSENT', movements: []}]]],
  ['unknown-in-shop', [[attempt(undefined, 'paid', CAPTURE)]]],
  ['pending', [[attempt('unconfirmed', 'unconfirmed', PENDING)]]],
]
