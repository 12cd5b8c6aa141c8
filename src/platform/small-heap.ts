/** Both halves of V8's young generation, which would grow to three times 16 MiB. */
const LARGEST_YOUNG_BYTES = 8 * 1024 * 1024
const LOOK_EVERY_MS = 50

/** Most commands are over before. */
const KEEP_SMALL_AFTER_MS = 100

/**
 * Keeps the process small from soon on. The objects of a long run are short-lived, so the space for new ones stays small,
 * and old ones are collected once they are 1.75 times those that were alive last: V8 would wait for up to four times. A V8
 * without one of these settings ignores it.
 *
 * @returns ends that: compiled code that V8 hands out under other settings is not found in the code cache without them
 */
export function keepHeapSmall(): () => void {
  let isLimited = false
  let looking: NodeJS.Timeout | undefined
  const look = () => {
    if (isYoungLarge() === isLimited) return
    isLimited = !isLimited
    // V8 shrinks it where little is left alive: it may grow again up to the limit.
    loadV8().setFlagsFromString(`--semi-space-growth-factor=${isLimited ? 1 : 2}`)
  }
  const begin = () => {
    loadV8().setFlagsFromString('--heap-growing-percent=75')
    looking = setInterval(look, LOOK_EVERY_MS).unref()
  }
  const waiting = setTimeout(begin, KEEP_SMALL_AFTER_MS).unref()
  return () => {
    clearTimeout(waiting)
    clearInterval(looking)
    if (looking) loadV8().setFlagsFromString('--heap-growing-percent=0 --semi-space-growth-factor=2')
  }
}

/** Only long-running commands need it, and loading it takes a millisecond. */
function loadV8(): typeof import('node:v8') {
  return process.getBuiltinModule('node:v8')
}

function isYoungLarge(): boolean {
  const young = loadV8()
    .getHeapSpaceStatistics()
    .find(({space_name}) => space_name === 'new_space')
  return young !== undefined && young.space_size >= LARGEST_YOUNG_BYTES
}
