import {isDeepStrictEqual} from 'node:util'
import type {ProviderDefinition} from './provider.js'
import {PROVIDERS} from './providers.js'

type Members = Readonly<Record<string, unknown>>

/**
 * Whether two bodies of one notification have the same content, however it is written. Links do not count: no handler
 * reads them, and the provider's list has others than its deliveries. Nor do members that only the list has.
 *
 * @param one JSON, as `other`
 * @see protocol.md §4.4, §4.7, provider.md §1
 */
export function haveSameContent(one: Uint8Array, other: Uint8Array): boolean {
  const [said, also] = [parseContent(one), parseContent(other)]
  return said !== undefined && isDeepStrictEqual(said, also)
}

/**
 * Whether a notification in the provider's list has the content of a stored body, or a newer state of it: its
 * `resource` may be newer than the delivered one.
 */
export function isListedContent(listed: Uint8Array, stored: Uint8Array): boolean {
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
  const members = readMembers(body)
  if (!members) return undefined
  const {links: _, ...rest} = members
  return splitListed(rest)?.[1] ?? rest
}

function readMembers(body: Uint8Array): Members | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return typeof read === 'object' && read !== null ? (read as Members) : undefined
  } catch {
    return undefined
  }
}

/**
 * The body of a notification without the members that only the provider's list and detail have: deliveries lack them,
 * and their URLs contain webhook tokens. A signed body stays byte for byte, or it would no longer verify.
 *
 * @param members of the body, if it is parsed already
 * @param headers names and values, as received
 */
export function removeListOnly(
  body: Uint8Array,
  headers: readonly (readonly [name: string, value: string])[],
  members: Members | undefined = readMembers(body),
): Uint8Array {
  const [provider, kept] = (members && splitListed(members)) ?? []
  if (!provider || isSigned(headers, provider)) return body
  return Buffer.from(JSON.stringify(kept))
}

function isSigned(
  headers: readonly (readonly [name: string, value: string])[],
  {signature}: ProviderDefinition,
): boolean {
  return signature !== null && headers.some(([name]) => name.toLowerCase() === signature.headers.signature)
}

/** @returns the provider, and the members of its deliveries; `undefined` where there are no others */
function splitListed(members: Members): [ProviderDefinition, Members] | undefined {
  for (const provider of PROVIDERS.values()) {
    const {listOnly, type} = provider.body
    if (listOnly === undefined || typeof type !== 'string' || !(type in members)) continue
    if (!listOnly.some(name => name in members)) return undefined
    return [
      provider,
      Object.fromEntries(Object.entries(members).filter(([name]) => !listOnly.includes(name))),
    ]
  }
  return undefined
}
