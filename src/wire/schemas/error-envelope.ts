import {type Static, Type} from '@sinclair/typebox'
import {allowNull} from './allow.js'

/** Where in the request it is: `/0/addresses/1/city`. */
const Source = Type.Object({pointer: Type.String()})

/** Errors of the HTTP layer (`code` is `"0"`) and of the authorisation server (`code` is its number as text). */
const PlainEntry = Type.Object({
  code: Type.String(),
  status: Type.String({description: 'The HTTP status as text'}),
  title: Type.String(),
  /** `null` where the authorisation server has no hint to give. */
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

/** What is wrong with a value that was to be written. */
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
 * The body of every answer that is not a success. Members of an entry stand in the order in which they are written; which
 * of them there are depends on where the error comes from.
 *
 * @see protocol.md §1.3
 */
export const ErrorEnvelope = Type.Object({
  errors: Type.Array(Type.Union([PlainEntry, ShopEntry, ViolationEntry])),
})
export type ErrorEntry = Static<typeof PlainEntry> | ShopEntry | ViolationEntry
