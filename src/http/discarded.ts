import type {Readable} from 'node:stream'

/** How long a sender of too much may pause, and how long it is listened to in all. */
const PAUSE_MS = 200
const LISTENING_MS = 2000

/**
 * Reads on in a body that is refused, and throws it away: who is hung up on while it still sends may never see the
 * answer. Resolves when the sender is done, pauses, or does not come to an end.
 */
export function discarded(body: Readable): Promise<void> {
  return new Promise(resolve => {
    const pausing = setTimeout(done, PAUSE_MS)
    const listening = setTimeout(done, LISTENING_MS)
    function done() {
      clearTimeout(pausing)
      clearTimeout(listening)
      resolve()
    }
    body.on('data', () => pausing.refresh())
    for (const end of ['end', 'close', 'error']) body.once(end, done)
    if (body.readableEnded || body.destroyed) done()
  })
}
