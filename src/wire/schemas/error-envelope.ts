import {type Static, Type} from '@sinclair/typebox'
import {allowNull} from './allow.js'

/** Where in the request it is: `/0/addresses/1/city`. */
const Source = Type.Object({pointer: Type.String()})

/** Errors of the HTTP layer (`code` is `"0"`) and of the authorisation server (`code` is its number as text). */
const PlainEntry = Type.Object({
  code: Type.String(),
  status: Type.String({description: 'The HTTP status as text'}),
  title: Type.String(),
  /** `null` where the authorisation server gives no hint. */
  detail: allowNull(Type.String()),
})

/** An empty set of parameters is written as `[]`, and a few come without names. */
const Meta = Type.Object({
  parameters: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown())]),
})

/** Errors of the shop itself; criteria errors also point at the member that is wrong. */
const ShopEntry = Type.Object({
  status: Type.String(),
  code: Type.String(),
  title: Type.String(),
  detail: Type.String(),
  source: Type.Optional(Source),
  meta: Meta,
})
export type ShopEntry = Static<typeof ShopEntry>

/** A constraint violation of a written value. */
const ViolationEntry = Type.Object({
  code: Type.String({description: 'Which rule: a UUID with dashes, or a name'}),
  status: Type.String(),
  detail: Type.String(),
  template: Type.String({description: 'The detail with its parameters’ names'}),
  meta: Meta,
  source: Source,
})
export type ViolationEntry = Static<typeof ViolationEntry> & {title?: undefined}

/**
 * The body of every error response. Members of an entry are in the order in which the shop writes them; which members
 * exist depends on the error's origin.
 *
 * @see protocol.md §1.3
 */
export const ErrorEnvelope = Type.Object({
  errors: Type.Array(Type.Union([PlainEntry, ShopEntry, ViolationEntry])),
})
export type ErrorEntry = Static<typeof PlainEntry> | ShopEntry | ViolationEntry
