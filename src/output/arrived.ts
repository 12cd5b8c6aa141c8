/** Turns of the microtask queue that a value which is already there may need to come through a generator. */
const QUICK_TURNS = 24

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
    await oneTurnOf(next)
    if (!here) await idle()
  }
  return next
}

/** Waits for one turn of the event loop, less where the value comes before its end: a turn may be long in coming. */
async function oneTurnOf(next: Promise<unknown>): Promise<void> {
  let turn: NodeJS.Immediate | undefined
  const turned = new Promise(resolve => {
    turn = setImmediate(resolve)
  })
  try {
    await Promise.race([next, turned])
  } finally {
    clearImmediate(turn)
  }
}
