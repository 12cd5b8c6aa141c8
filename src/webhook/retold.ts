import {isDeepStrictEqual} from 'node:util'
import type {EventContent} from './event.js'
import type {Inbox} from './inbox.js'
import type {ReadEvent} from './read-events.js'

/**
 * Which of the events that the provider's own list tells of are in the inbox already with the same content, whatever
 * the spelling: the list does not repeat a delivery byte for byte, and its links have members of their own.
 *
 * @see protocol.md §4.7
 */
export async function knownByContent(
  target: string,
  reads: readonly ReadEvent[],
  inbox: Pick<Inbox, 'contents'>,
): Promise<Set<ReadEvent>> {
  const retold = reads.filter(({isRetold}) => isRetold)
  if (retold.length === 0) return new Set()
  const there = await inbox.contents(target, [...new Set(retold.map(({event}) => event.id))])
  return new Set(retold.filter(({event}) => isSame(event, there.get(event.id))))
}

function isSame({body}: EventContent, there: EventContent | undefined): boolean {
  return there !== undefined && isDeepStrictEqual(told(body), told(there.body))
}

/** What an event says, without where to find it. */
function told(body: Uint8Array): unknown {
  const {links: _, ...rest} = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>
  return rest
}
