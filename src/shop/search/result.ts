/** What an aggregation came to. Its name is that of the innermost, where filters stand around it. */
export type Result =
  | {kind: 'values'; name: string; values: readonly Value[]}
  | {kind: 'ranges'; name: string; ranges: readonly (readonly [key: string, count: number])[]}
  | {kind: 'entities'; name: string; definition: string; ids: readonly string[]}
  | {kind: 'buckets'; name: string; buckets: readonly Bucket[]}

/** One member of a result: whole numbers, numbers that may have a fraction, and texts are written differently. */
export type Value = readonly [member: string, kind: 'int' | 'float' | 'text', value: string | number | null]

export interface Bucket {
  key: string
  count: number
  nested: Result | undefined
}
