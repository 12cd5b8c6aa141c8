import process from 'node:process'

/** How much of something a test tries: enough in the fast tests, and `most` when `npm run test:long` runs its file. */
export function sized(enough: number, most: number): number {
  return process.env.TEST_SIZE === 'long' ? most : enough
}

/** Every so manieth of a list in the fast tests, counted from a place before it; all of it in `npm run test:long`. */
export function everyNth<T>(n: number, all: readonly T[], before = 0): T[] {
  const every = sized(n, 1)
  return all.filter((_, at) => (before + at) % every === 0)
}
