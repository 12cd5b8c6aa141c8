/** Whether an event's type fits a pattern; `*` stands for anything: `PAYMENT.CAPTURE.*`. */
export function matchesType(type: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return type === pattern
  if (!type.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = type.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return type.length - last.length >= at && type.endsWith(last)
}
