/** Steps of long work between two turns of others: some ten milliseconds. */
const STEPS_A_TURN = 100

/** Lets others have their turn between two pieces of work. */
export function aTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/**
 * Lets others have their turn while a long list is worked through.
 *
 * @returns to be waited for at every step
 */
export function takingTurns(): () => Promise<void> | undefined {
  let steps = 0
  return () => {
    steps++
    return steps % STEPS_A_TURN === 0 ? aTurn() : undefined
  }
}
