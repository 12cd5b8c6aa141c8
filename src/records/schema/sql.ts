/** Keys of one query: an `in` list of this length is still found by the index. */
const AT_ONCE = 500

/** Keys in lists short enough for one query. */
export function* chunks<V>(values: readonly V[]): Generator<V[]> {
  for (let from = 0; from < values.length; from += AT_ONCE) yield values.slice(from, from + AT_ONCE)
}
