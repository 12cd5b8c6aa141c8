import {isDeepStrictEqual} from 'node:util'

/**
 * Whether two bodies of one notification say the same, whatever their spelling. Links do not count: no handler reads
 * them, and the provider's own list words them otherwise than its deliveries.
 *
 * @param one JSON, as `other`
 * @see protocol.md §4.4, §4.7
 */
export function haveSameContent(one: Uint8Array, other: Uint8Array): boolean {
  const [said, also] = [removeLinks(one), removeLinks(other)]
  return said !== undefined && isDeepStrictEqual(said, also)
}

function removeLinks(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const {links: _, ...rest} = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>
    return rest
  } catch {
    return undefined
  }
}
