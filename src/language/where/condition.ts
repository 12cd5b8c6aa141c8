/**
 * A condition on an entity, in the `--where` language. The tree keeps values as they were typed, so that printing and
 * parsing again gives the same tree.
 *
 * @see docs/where.md
 */
export type Condition = All | Any | Not | Comparison

/** Every part holds. Two parts or more. */
export interface All {
  readonly kind: 'and'
  readonly parts: readonly Condition[]
}

/** One part holds at least; two parts or more. */
export interface Any {
  readonly kind: 'or'
  readonly parts: readonly Condition[]
}

export interface Not {
  readonly kind: 'not'
  readonly part: Condition
}

export const SINGLE_OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'contains', 'starts', 'ends'] as const
export const LIST_OPERATORS = ['in', 'all'] as const

export type SingleOperator = (typeof SINGLE_OPERATORS)[number]
export type ListOperator = (typeof LIST_OPERATORS)[number]

/** One field against one value, or against a list of at least one for `in` and `all`. */
export type Comparison = SingleComparison | ListComparison

export interface SingleComparison {
  readonly kind: 'single'
  readonly field: Word
  readonly operator: SingleOperator
  readonly value: ConditionValue
}

export interface ListComparison {
  readonly kind: 'list'
  readonly field: Word
  readonly operator: ListOperator
  readonly values: readonly ConditionValue[]
}

/** A dotted field path: `defaultBillingAddress.city`. */
export interface Word {
  readonly name: string
  readonly at: number
}

/**
 * A value and where it began in the text (UTF-16 units, from 0).
 *
 * `text` was in quotes and is unquoted here; `bare` is a number, a date or a date-time, as typed: `007` stays `007`.
 */
export type ConditionValue =
  | {readonly kind: 'text'; readonly text: string; readonly at: number}
  | {readonly kind: 'bare'; readonly text: string; readonly at: number}
  | {readonly kind: 'boolean'; readonly value: boolean; readonly at: number}
  | {readonly kind: 'null'; readonly at: number}
