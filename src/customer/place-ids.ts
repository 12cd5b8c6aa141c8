/** As many ids as one request holds without being long: 17 kB. */
const MOST_ASKED = 500

/** Every so many of them are what others are compared with. */
const PIVOTS = 400

/**
 * Puts ids among others that are in order, by asking for the order of a few of them at a time.
 *
 * @param ids in order
 * @param missing belong somewhere among them
 * @param inOrder sorts up to 500 ids, and leaves out those of what is gone
 * @returns every id once, but for those that turned out to be gone
 */
export async function placed(
  ids: readonly string[],
  missing: readonly string[],
  inOrder: (ids: readonly string[]) => Promise<string[]>,
): Promise<string[]> {
  if (missing.length === 0) return [...ids]
  if (ids.length + missing.length <= MOST_ASKED) return inOrder([...ids, ...missing])
  const stride = Math.max(1, Math.ceil(ids.length / PIVOTS))
  const buckets = await bucketsOf(ids, missing, stride, inOrder)
  const result: string[] = []
  for (const [at, bucket] of buckets.entries()) {
    const among = at === 0 ? [] : ids.slice((at - 1) * stride, at * stride)
    const few = stride === 1 ? [...among, ...bucket] : await placed(among, bucket, inOrder)
    for (const id of few) result.push(id)
  }
  return result
}

/** What is missing, by the pivot that comes before it; bucket 0 comes before the first. */
async function bucketsOf(
  ids: readonly string[],
  missing: readonly string[],
  stride: number,
  inOrder: (ids: readonly string[]) => Promise<string[]>,
): Promise<string[][]> {
  const pivots = new Map<string, number>()
  for (let at = 0; at < ids.length; at += stride) pivots.set(ids[at] as string, at / stride + 1)
  const buckets: string[][] = Array.from({length: pivots.size + 1}, () => [])
  const atOnce = MOST_ASKED - PIVOTS
  for (let at = 0; at < missing.length; at += atOnce) {
    let bucket = 0
    for (const id of await inOrder([...pivots.keys(), ...missing.slice(at, at + atOnce)])) {
      const pivot = pivots.get(id)
      if (pivot === undefined) buckets[bucket]?.push(id)
      else bucket = pivot
    }
  }
  return buckets
}
