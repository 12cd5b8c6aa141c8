/** Clocks further apart than this are worth a word. */
export const NOTABLE_SKEW_MS = 30_000

/**
 * What is said of two clocks that are apart.
 *
 * @param skewMs how far the shop's is ahead of ours
 * @param of whose clock: a profile, a URL
 * @returns `undefined` for clocks that go alike
 */
export function skewWords(skewMs: number | null, of: string): string | undefined {
  if (skewMs === null || Math.abs(skewMs) < NOTABLE_SKEW_MS) return undefined
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return `warning: the clock of ${of} is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's.`
}
