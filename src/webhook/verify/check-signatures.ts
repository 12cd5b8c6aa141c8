import {readSignatureHeaders} from './signature.js'
import type {EventVerifier, SignedEvent} from './verify-events.js'

/**
 * Makes a check of the provider's signatures that stores its results.
 *
 * @param openVerifier called once, for the first event that has a signature
 */
export function createSignatureCheck(
  openVerifier: () => Promise<EventVerifier>,
): (target: string, events: readonly SignedEvent[]) => Promise<void> {
  let opened: Promise<EventVerifier> | undefined
  return async (target, events) => {
    const signed = events.filter(({headers}) => readSignatureHeaders(headers))
    if (signed.length === 0) return
    opened ??= openVerifier()
    await (await opened).verify(target, signed)
  }
}
