import type {ShopVersions, VersionPair, VersionRange} from '../shopware/versions/version-range.js'
import type {TypeEffect} from './provider.js'
import type {Traits, TransactionFacts} from './traits.js'

/** A payment, with the facts that affect an event's outcome besides its state. */
export interface ForecastPayment extends TransactionFacts {
  /** Id of the payment's authorization or capture at the provider; absent where none is stored. */
  readonly resourceId?: string | undefined
  /** Whether the instructions of a payment upon invoice are stored. */
  readonly hasInstructions?: boolean | undefined
}

/** One possible result of an event at a shop. */
export interface Outcome {
  readonly isRefused: boolean
  /** The payment's state afterwards; `undefined` where it does not change. */
  readonly to: string | undefined
}

/** What a version does; with several outcomes, the provider's response decides. */
export interface Cell {
  readonly outcomes: readonly Outcome[]
  readonly pair: VersionPair
}

/** The effect of an event, by the state of its payment. */
export type EventEffect =
  /** The body lacks a member that the receiver requires; `member` is its path. */
  | {readonly kind: 'missing'; readonly member: string}
  /** The shop asks the provider for the state, which cannot be predicted here. */
  | {readonly kind: 'provider-decides'}
  | {
      readonly kind: 'cells'
      /** One for each version that is possible; none for a state that the receiver does not know. */
      readonly cells: readonly Cell[]
      /** The action of the state machine, by the shop's name. */
      readonly step: string
      readonly isCancellation: boolean
      /** Whether it has an effect of its own although the payment is in its target state. */
      readonly isRepeatable: boolean
      /** It concerns an authorization other than the payment's. */
      readonly isOfAnother?: boolean
    }

/** Finds the effect of an event on a payment. */
export type FindEffect = (
  event: {readonly type: string; readonly traits: Traits},
  payment: ForecastPayment,
  versions: ShopVersions,
) => EventEffect

/**
 * Which capture of its payment an event reports: the last one, after which it counts as paid, or a partial one.
 * `undefined` where it reports none, or the shop asks the provider for the paid amount.
 */
export type FindCapture = (event: {
  readonly type: string
  readonly traits: Traits
}) => 'final' | 'part' | undefined

/** How to read a provider's events. */
export interface EventRules {
  /**
   * The keys that events of one payment share, each once.
   *
   * @param transaction the one in the route
   */
  readonly listOrderingKeys: (body: object, transaction: string | undefined) => string[]
  /** @param transaction the one in the route */
  readonly readTraits: (type: string, body: object, transaction: string | undefined) => Traits
}

/** Every version: effects given as data hold for all of them. */
const ANY: VersionRange = {from: '0.0', below: '99999.0'}

/** Converts the effect of a type from its data. */
export function readTypeEffect(effect: Exclude<TypeEffect, 'rules'>, {state}: ForecastPayment): EventEffect {
  if (effect === 'provider-decides') return {kind: 'provider-decides'}
  const to = effect === 'nothing' ? undefined : effect.to
  const isRefused = effect !== 'nothing' && effect.refusedFrom?.includes(state) === true
  const outcome: Outcome = {isRefused, to: isRefused || to === state ? undefined : to}
  const pair = {shop: ANY, plugin: ANY, isMeasured: false, source: "the provider's types"}
  return {
    ...{kind: 'cells', cells: [{outcomes: [outcome], pair}], step: to ?? 'nothing'},
    ...{isCancellation: to === 'cancelled' || to === 'failed', isRepeatable: effect === 'nothing'},
  }
}
