import type {Clock} from '../platform/clock.js'

/** Hands values on; every few seconds, when one goes by, `say` is called. */
export async function* sayingHowFar<V>(
  values: AsyncIterable<V>,
  everyMs: number,
  clock: Clock,
  say: () => Promise<void>,
): AsyncGenerator<V, void, void> {
  let next = clock.now().getTime() + everyMs
  for await (const value of values) {
    yield value
    const now = clock.now().getTime()
    if (now < next) continue
    next = now + everyMs
    await say()
  }
}
