import process from 'node:process'

/** How much of something a test tries: enough in the fast tests, and `most` when `npm run test:long` runs its file. */
export function sized(enough: number, most: number): number {
  return process.env.STORECTL_TESTS === 'long' ? most : enough
}
