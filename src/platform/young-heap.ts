import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8'

/** Both halves of the space for new objects; V8 would let it grow to three times 16 MiB and never give it back. */
const LARGEST_BYTES = 8 * 1024 * 1024
const LOOK_EVERY_MS = 50

/**
 * Keeps the space for new objects small from here on: what streams through a long run dies young, and a larger space
 * would only make the process larger. Where V8 does not know the setting any more, nothing changes.
 */
export function keepYoungHeapSmall(): void {
  const timer = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({space_name}) => space_name === 'new_space')
    if (!young || young.space_size < LARGEST_BYTES) return
    clearInterval(timer)
    setFlagsFromString('--semi-space-growth-factor=1')
  }, LOOK_EVERY_MS)
  timer.unref()
}
