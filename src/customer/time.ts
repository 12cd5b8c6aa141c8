/** `2024-10-24 21:30:46.123`, UTC: a moment as the shop keeps and compares it. @see protocol.md §1.6 */
export function storedTime(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '')
}
