import {isDeepStrictEqual} from 'node:util'
import {PROVIDERS} from './providers.js'

type Members = Readonly<Record<string, unknown>>

/**
 * Whether two bodies of one notification say the same, whatever their spelling. Links do not count: no handler reads
 * them, and the provider's own list words them otherwise than its deliveries. Nor do members that only the list has.
 *
 * @param one JSON, as `other`
 * @see protocol.md §4.4, §4.7, provider.md §1
 */
export function haveSameContent(one: Uint8Array, other: Uint8Array): boolean {
  const [said, also] = [parseContent(one), parseContent(other)]
  return said !== undefined && isDeepStrictEqual(said, also)
}

/**
 * Whether the provider's own list says the same of a notification as a stored body, or the same later: its `resource` may
 * be newer than the one that was delivered.
 */
export function confirmsContent(listed: Uint8Array, stored: Uint8Array): boolean {
  const [now, before] = [parseContent(listed), parseContent(stored)]
  if (now === undefined || before === undefined) return false
  if (isDeepStrictEqual(now, before)) return true
  const [later, earlier] = [readUpdateTime(now), readUpdateTime(before)]
  if (!(later > earlier)) return false
  return isDeepStrictEqual(removeUpdateTime(now), removeUpdateTime(before))
}

function readUpdateTime({resource}: Members): number {
  return Date.parse(String((resource as Members | undefined)?.update_time))
}

function removeUpdateTime(members: Members): Members {
  const {update_time: _, ...resource} = members.resource as Members
  return {...members, resource}
}

function parseContent(body: Uint8Array): Members | undefined {
  try {
    const {links: _, ...rest} = JSON.parse(Buffer.from(body).toString('utf8')) as Members
    return removeListOnly(rest) ?? rest
  } catch {
    return undefined
  }
}

/**
 * A notification without the members that only the provider's list and detail have: its deliveries have none of them, and
 * the addresses in them hold webhook tokens.
 *
 * @returns `undefined` where it has none of them
 */
export function removeListOnly(members: Members): Members | undefined {
  for (const {body} of PROVIDERS.values()) {
    const {listOnly, type} = body
    if (listOnly === undefined || typeof type !== 'string' || !(type in members)) continue
    if (!listOnly.some(name => name in members)) return undefined
    return Object.fromEntries(Object.entries(members).filter(([name]) => !listOnly.includes(name)))
  }
  return undefined
}
