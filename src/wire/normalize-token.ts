/** The part of a webhook token that counts: letters and digits, in lower case. @see protocol.md §4.1 */
export function normalizeToken(token: string): string {
  return token.replace(/[^a-z0-9]/gi, '').toLowerCase()
}
