import {memoryUsage} from 'node:process'
import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8'

/** Both halves of the space for new objects; V8 would let it grow to three times 16 MiB and never give it back. */
const LARGEST_YOUNG_BYTES = 8 * 1024 * 1024
/** Above this V8 is to collect sooner, which takes about a third more of the processor; below the other it need not. */
const LARGE_BYTES = 112 * 1024 * 1024
const SMALL_BYTES = 100 * 1024 * 1024
const LOOK_EVERY_MS = 50

/**
 * Keeps the process small from here on: what streams through a long run dies young, and room to put off its collection
 * would only make the process larger. Where V8 does not know a setting any more, nothing changes.
 */
export function keepHeapSmall(): void {
  let isYoungBound = false
  let isThrifty = false
  const look = () => {
    if (!isYoungBound) isYoungBound = boundYoung()
    const sizeBytes = memoryUsage.rss()
    if (isThrifty ? sizeBytes > SMALL_BYTES : sizeBytes < LARGE_BYTES) return
    isThrifty = !isThrifty
    // V8 looks at it at every collection: the old space then grows by the least that it knows.
    setFlagsFromString(isThrifty ? '--optimize-for-size' : '--no-optimize-for-size')
  }
  setInterval(look, LOOK_EVERY_MS).unref()
}

/** @returns whether the space for new objects has become as large as it may be, and stays so */
function boundYoung(): boolean {
  const young = getHeapSpaceStatistics().find(({space_name}) => space_name === 'new_space')
  if (!young || young.space_size < LARGEST_YOUNG_BYTES) return false
  setFlagsFromString('--semi-space-growth-factor=1')
  return true
}
