/** What of a webhook token counts: letters and digits, whatever their case. @see protocol.md §4.1 */
export function normalizeToken(token: string): string {
  return token.replace(/[^a-z0-9]/gi, '').toLowerCase()
}
