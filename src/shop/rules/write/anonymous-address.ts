import {isIPv4, isIPv6} from 'node:net'

const NETWORK_GROUPS = 4

/**
 * The network that an Internet address belongs to: three of four bytes, or half of an IPv6 address. Other texts stay.
 *
 * @see protocol.md §7.1, `remoteAddress`
 */
export function anonymousAddress(text: string): string {
  if (isIPv4(text)) return text.replace(/\d+$/, '0')
  if (!isIPv6(text) || text.includes('%')) return text
  const [head = '', tail = ''] = shortest(text).split('::')
  const before = head.split(':').filter(group => group !== '')
  const after = tail.split(':').filter(group => group !== '')
  const between = Array.from({length: 8 - before.length - after.length}, () => '0')
  return shortest(`${[...before, ...between, ...after].slice(0, NETWORK_GROUPS).join(':')}::`)
}

/** The form that everybody writes, without an embedded IPv4 address. @see RFC 5952 */
function shortest(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
