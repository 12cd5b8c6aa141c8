import {type TSchema, type TUnsafe, Type} from '@sinclair/typebox'

/** One of several texts or numbers, as an `enum`, which readers of the published description can choose from. */
export function allowOnly<const T extends string | number>(
  values: readonly T[],
  description?: string,
): TUnsafe<T> {
  const areTexts = values.every(value => typeof value === 'string')
  return Type.Unsafe<T>({
    ...(areTexts && {type: 'string'}),
    enum: [...values],
    ...(description !== undefined && {description}),
  })
}

/** A value that may be `null`. */
export const allowNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A deeply read-only type. */
export type Frozen<T> = T extends object ? {readonly [K in keyof T]: Frozen<T[K]>} : T
