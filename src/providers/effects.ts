import type {ShopVersions, VersionPair, VersionRange} from '../shopware/versions/version-range.js'
import type {TypeEffect} from './provider.js'
import type {Traits, TransactionFacts} from './traits.js'

/** A payment, with what decides beside its state. */
export interface ForecastPayment extends TransactionFacts {
  /** Id of the provider's authorization or capture that the payment has; absent where none is stored. */
  readonly resourceId?: string | undefined
  /** Whether the instructions of a payment upon invoice are stored. */
  readonly hasInstructions?: boolean | undefined
}

/** One way in which a shop may answer an event. */
export interface Outcome {
  readonly isRefused: boolean
  /** The state that the payment is in afterwards; `undefined` where it stays. */
  readonly to: string | undefined
}

/** What a version does; several outcomes are the provider's to decide. */
export interface Cell {
  readonly outcomes: readonly Outcome[]
  readonly pair: VersionPair
}

/** What an event may come to, by the state of its payment. */
export type EventEffect =
  /** The body lacks a member, named as a path, that the receiver requires. */
  | {readonly kind: 'missing'; readonly member: string}
  /** The shop asks the provider for the state, which nothing here can know. */
  | {readonly kind: 'provider-decides'}
  | {
      readonly kind: 'cells'
      /** Those of each version that may hold; none for a state that the receiver does not know. */
      readonly cells: readonly Cell[]
      /** The step of the state machine that it takes, as the shop names it. */
      readonly step: string
      readonly isCancellation: boolean
      /** Whether it stands for something of its own although the payment is in its target state. */
      readonly isRepeatable: boolean
      /** It is about another authorization than that of the payment. */
      readonly isOfAnother?: boolean
    }

/** What an event may come to for a payment. */
export type FindEffect = (
  event: {readonly type: string; readonly traits: Traits},
  payment: ForecastPayment,
  versions: ShopVersions,
) => EventEffect

/**
 * Which capture of its payment an event reports: the last one, after which it counts as paid, or a part. `undefined` where
 * it reports none, or the shop asks the provider for what was paid.
 */
export type FindCapture = (event: {
  readonly type: string
  readonly traits: Traits
}) => 'final' | 'part' | undefined

/** What is read of a provider's events. */
export interface EventRules {
  /**
   * The keys that tie events of one payment together, each once.
   *
   * @param transaction as the route names it
   */
  readonly listOrderingKeys: (body: object, transaction: string | undefined) => string[]
  /** @param transaction as the route names it */
  readonly readTraits: (type: string, body: object, transaction: string | undefined) => Traits
}

/** Every version: what a provider's data alone say holds for all. */
const ANY: VersionRange = {from: '0.0', below: '99999.0'}

/** What the effect of a type, as data, comes to. */
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
