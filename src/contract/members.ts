import {type Static, type TProperties, type TSchema, type TUnsafe, Type} from '@sinclair/typebox'
import {allowOnly, type Frozen} from '../wire/schemas/allow.js'

/** The TypeScript type of what a schema describes, none of whose members may be written to. */
export type TypeOf<S extends TSchema> = Frozen<Static<S>>

const COUNT = {minimum: 0}
const allowObject = <T extends TProperties>(description: string, members: T) =>
  Type.Object(members, {description})
const allowText = (description: string) => Type.String({description})
const allowFlag = (description: string) => Type.Boolean({description})
const allowCount = (description: string) => Type.Integer({...COUNT, description})
const allowTime = (about: string) =>
  Type.String({format: 'date-time', description: `${about}; ISO 8601, UTC`})
const allowWord: <const T extends string>(words: readonly T[], description: string) => TUnsafe<T> = allowOnly
const allowList = <S extends TSchema>(each: S, description: string) => Type.Array(each, {description})
const allowRows = <T extends TProperties>(description: string, members: T) =>
  Type.Array(Type.Object(members), {description})
const allowRecord = <S extends TSchema>(each: S, description: string) =>
  Type.Unsafe<Record<string, Static<S>>>({type: 'object', additionalProperties: each, description})
const allowMoney = (about: string) =>
  allowObject(about, {
    value: allowText('Decimal number as text: "12.90", "-3.00"'),
    currency: allowText('ISO 4217 code: "EUR"'),
  })

const allowAmounts = (about: string) =>
  allowList(allowMoney('Sum in one currency'), `${about}: one sum per currency; empty if no amount is known`)
const allowCounts = (about: string) => allowRecord(Type.Integer(COUNT), about)
const allowAnyObject = <T = Record<string, unknown>>(description: string) =>
  Type.Unsafe<T>({type: 'object', description})
const allowOptional = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Unsafe<Static<S> | undefined>(schema))
const allowAnything = (description: string) => Type.Unknown({description})

function allowNull<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const {description, type, enum: words, ...rest} = schema as TSchema
  const isSimple = typeof type === 'string' && type !== 'object' && type !== 'array'
  const either = isSimple
    ? {type: [type, 'null'], ...(words && {enum: [...words, null]}), ...rest}
    : {anyOf: [schema, {type: 'null'}]}
  return Type.Unsafe<Static<S> | null>({...either, description})
}

/** Schemas of what rows are made of. Their text says what a script has to know: units, and when it is `null`. */
export const allow = {
  /** A later version may add members: others are allowed. */
  object: allowObject,
  text: allowText,
  flag: allowFlag,
  /** A whole number, 0 or more. */
  count: allowCount,
  time: allowTime,
  /** One of some words; a later version may add some. */
  word: allowWord,
  list: allowList,
  /** A list of objects. */
  rows: allowRows,
  /** Values of one kind by name. */
  record: allowRecord,
  /** Whole numbers by name. */
  counts: allowCounts,
  money: allowMoney,
  /** What several payments are worth. */
  amounts: allowAmounts,
  /** One value alone. */
  is: Type.Literal,
  /** An object of which nothing more is promised. */
  anyObject: allowAnyObject,
  anything: allowAnything,
  either: Type.Union,
  /** A member that may be absent. */
  optional: allowOptional,
  null: allowNull,
} as const

function wrapNull<A extends unknown[], S extends TSchema>(build: (...args: A) => S) {
  return (...args: A) => allowNull(build(...args))
}

/** The same, or `null`. */
export const maybe = {
  text: wrapNull(allowText),
  count: wrapNull(allowCount),
  time: wrapNull(allowTime),
  word: wrapNull(allowWord),
  money: wrapNull(allowMoney),
  amounts: wrapNull(allowAmounts),
  list: wrapNull(allowList),
  rows: wrapNull(allowRows),
  object: wrapNull(allowObject),
} as const
