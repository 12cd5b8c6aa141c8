/** Blocks of an eighth to a whole line, for counts beside each other. */
const BLOCKS = [...'▁▂▃▄▅▆▇█']

/** A bar as long as `count` is beside `highest`; what is there has a block at least. @param columns of the longest bar */
export function drawBar(count: number, highest: number, columns: number): string {
  const length = Math.round((count / Math.max(1, highest)) * columns)
  return '█'.repeat(count > 0 ? Math.max(1, length) : 0)
}

/** Counts beside each other, a block each, as high as the count is beside the highest; a blank for 0. */
export function drawColumns(counts: readonly number[]): string {
  const highest = Math.max(1, ...counts)
  const rank = (count: number) => Math.ceil((count / highest) * BLOCKS.length) - 1
  return counts.map(count => BLOCKS[rank(count)] ?? ' ').join('')
}
