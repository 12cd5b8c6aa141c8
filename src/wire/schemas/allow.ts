import {type TSchema, type TUnsafe, Type} from '@sinclair/typebox'

/** One of several texts or numbers, as a list of them: what readers of the document choose from. */
export function allowOnly<const T extends string | number>(values: readonly T[]): TUnsafe<T> {
  const areTexts = values.every(value => typeof value === 'string')
  return Type.Unsafe<T>({...(areTexts ? {type: 'string'} : {}), enum: [...values]})
}

/** A value that may be `null`. */
export const allowNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A type none of whose members may be written to, however deep they lie: for schemas' types that only are read. */
export type Frozen<T> = T extends object ? {readonly [K in keyof T]: Frozen<T[K]>} : T
