/** Rows fetched at a time: few enough to hold, many enough that the query's own cost is spread. */
const PAGE = 500

/**
 * All rows of a query, page by page, each page asked for by the last row of the one before; memory stays flat and
 * nothing is skipped when rows come or go meanwhile.
 *
 * @param limit rows at most, `undefined` for all
 * @param page the rows after `after` in the query's order, at most `size`
 */
export async function* keyset<Row>(
  limit: number | undefined,
  page: (after: Row | undefined, size: number) => Promise<Row[]>,
): AsyncGenerator<Row, void, void> {
  let left = limit ?? Number.POSITIVE_INFINITY
  for (let after: Row | undefined; left > 0; ) {
    const size = Math.min(PAGE, left)
    const rows = await page(after, size)
    yield* rows
    if (rows.length < size) return
    after = rows.at(-1)
    left -= rows.length
  }
}
