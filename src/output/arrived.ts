/** Turns of the microtask queue that a value which is already there may need to come through a generator. */
const QUICK_TURNS = 8

/**
 * Waits for what comes next; calls `idle` once when it is not there yet.
 *
 * A value that is ready costs a few microtasks; only one that keeps us waiting costs a turn of the event loop.
 */
export async function arrived<T>(next: Promise<T>, idle: () => Promise<void>): Promise<T> {
  let here = false
  const note = () => {
    here = true
  }
  next.then(note, note)
  for (let turn = 0; turn < QUICK_TURNS && !here; turn++) await undefined
  if (!here) {
    await Promise.race([next, nextTurn()])
    if (!here) await idle()
  }
  return next
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}
