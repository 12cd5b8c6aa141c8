import {readSignatureHeaders} from './signature.js'
import type {EventVerifier, SignedEvent} from './verify-events.js'

/**
 * Makes a check of the provider's signatures that stores its results, and returns the verified ids.
 *
 * @param openVerifier called once, for the first event that has a signature
 */
export function createSignatureCheck(
  openVerifier: () => Promise<EventVerifier>,
): (target: string, events: Iterable<SignedEvent>) => Promise<ReadonlySet<string>> {
  let opened: Promise<EventVerifier> | undefined
  return async (target, events) => {
    const signed: SignedEvent[] = []
    for (const event of events) if (readSignatureHeaders(event.headers)) signed.push(event)
    if (signed.length === 0) return new Set()
    opened ??= openVerifier()
    const results = await (await opened).verify(target, signed)
    return new Set(signed.filter((_, at) => results[at]?.result === 'verified').map(({id}) => id))
  }
}
