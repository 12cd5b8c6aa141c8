/** As many ids as one request holds without being long: 17 kB. */
const MOST_ASKED = 500

/** Every so many of them are what others are compared with. */
const PIVOTS = 400

type Sorter = (ids: readonly string[]) => Promise<readonly string[]>

/** Ids that belong somewhere between two places of a list: at `from` at the earliest, before `to` at the latest. */
interface Span {
  readonly from: number
  readonly to: number
  readonly ids: readonly string[]
}

/**
 * Puts ids among others that are in order, by asking for the order of a few of them at a time.
 *
 * @param ids in order
 * @param missing belong somewhere among them
 * @param inOrder sorts up to 500 ids, and leaves out those of what is gone
 * @returns every id once, but for some of those that turned out to be gone
 */
export async function placed(
  ids: readonly string[],
  missing: readonly string[],
  inOrder: Sorter,
): Promise<readonly string[]> {
  if (missing.length === 0) return ids
  if (ids.length + missing.length <= MOST_ASKED) return inOrder([...ids, ...missing])
  if (ids.length === 0) return placed(await inOrder(missing.slice(0, PIVOTS)), missing.slice(PIVOTS), inOrder)
  const stride = Math.ceil(ids.length / PIVOTS)
  const pivots = new Map<string, number>()
  for (let at = 0; at < ids.length; at += stride) pivots.set(ids[at] as string, at)
  const found: Span[] = []
  for (let at = 0; at < missing.length; at += MOST_ASKED - PIVOTS) {
    const some = missing.slice(at, at + MOST_ASKED - PIVOTS)
    const order = await inOrder([...pivots.keys(), ...some])
    found.push(...spansIn(order, pivots, ids.length))
  }
  const result: string[] = []
  let done = 0
  for (const span of merged(found)) {
    const isWhole = span.from === 0 && span.to === ids.length
    // Where all pivots are gone there are fewer ids the next time.
    const among = isWhole ? ids.filter(id => !pivots.has(id)) : ids.slice(span.from, span.to)
    for (const id of ids.slice(done, span.from)) result.push(id)
    for (const id of await placed(among, span.ids, inOrder)) result.push(id)
    done = span.to
  }
  for (const id of ids.slice(done)) result.push(id)
  return result
}

/** Between which two pivots the others stand. */
function spansIn(order: readonly string[], pivots: ReadonlyMap<string, number>, end: number): Span[] {
  const spans: Span[] = []
  let from = 0
  let ids: string[] = []
  // A pivot that was moved meanwhile may stand before one that it stood behind.
  const close = (to: number) => {
    if (ids.length > 0) spans.push({from, to: Math.max(from, to), ids})
    ids = []
    from = to + 1
  }
  for (const id of order) {
    const pivot = pivots.get(id)
    if (pivot === undefined) ids.push(id)
    else close(pivot)
  }
  close(end)
  return spans
}

/** Spans that overlap, because a pivot was there for one and gone for the other, as one. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = result.at(-1)
    if (!last || span.from > last.to) result.push(span)
    else
      result[result.length - 1] = {
        from: last.from,
        to: Math.max(last.to, span.to),
        ids: [...last.ids, ...span.ids],
      }
  }
  return result
}
