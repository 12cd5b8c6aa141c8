import {BUCKET_COUNT, type Buckets} from '../model/aggregation.js'
import {histogramKey} from './histogram-key.js'
import type {Bucket, Result} from './result.js'

type Rows = readonly (readonly unknown[])[]

/**
 * Folds grouped rows into buckets in buckets.
 *
 * @param rows keys from the outermost in, the count, then the leaf's values; rows of one bucket follow each other
 * @param leafOf what the innermost rows come to, their keys left out
 * @param now the moment that a histogram takes nothing for
 */
export function bucketsOf(
  levels: readonly Buckets[],
  rows: Rows,
  leafOf: (rows: Rows) => Result | undefined,
  now: Date,
): Result | undefined {
  const [level, ...inner] = levels
  if (!level) return leafOf(rows)
  const buckets = runsOfKeys(rows).map((run): Bucket => {
    const rest = run.map(row => row.slice(1))
    return {
      key: keyOf(level, run[0]?.[0], now),
      count: run.reduce((sum, row) => sum + Number(row[levels.length]), 0),
      nested: bucketsOf(inner, rest, leafOf, now),
    }
  })
  const sorted = inOrder(level, buckets)
  const limit = level.type === 'terms' ? level.limit : undefined
  return {kind: 'buckets', name: level.name, buckets: limit === undefined ? sorted : sorted.slice(0, limit)}
}

function runsOfKeys(rows: Rows): (readonly unknown[])[][] {
  const runs: (readonly unknown[])[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run && run[0]?.[0] === row[0]) run.push(row)
    else runs.push([row])
  }
  return runs
}

function keyOf(level: Buckets, key: unknown, now: Date): string {
  if (level.type === 'histogram') return histogramKey(level, key, now)
  return key === null || key === undefined ? '' : String(key)
}

function inOrder({sorting}: Buckets, buckets: readonly Bucket[]): readonly Bucket[] {
  if (sorting?.field !== BUCKET_COUNT) return buckets
  const sign = sorting.descending ? -1 : 1
  return [...buckets].sort((one, other) => sign * (one.count - other.count))
}
