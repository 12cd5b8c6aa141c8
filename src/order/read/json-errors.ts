/** What `--rejects` says about an order stands in members of this beginning, last in its object. */
const PREFIX = '_error'
const LAST_MEMBERS = /(?:\s*,\s*"_error\w*"\s*:\s*"(?:[^"\\]|\\.)*")+\s*\}\s*$/

/** What is said about an order that did not go through. */
export interface Reject {
  readonly status: string
  readonly detail: string
}

/** Whether a parsed order says why it was rejected before. */
export function hasErrorMembers(order: unknown): order is Record<string, unknown> {
  if (typeof order !== 'object' || order === null) return false
  for (const name in order) if (name.startsWith(PREFIX)) return true
  return false
}

/** The order as it is sent: without what was said about it, and otherwise to the byte as it stands there. */
export function withoutErrorMembers(
  parsed: Record<string, unknown>,
  bytes: Buffer,
): {order: unknown; body: () => string} {
  const order = Object.fromEntries(Object.entries(parsed).filter(([name]) => !name.startsWith(PREFIX)))
  const cut = withoutLast(bytes.toString('utf8'))
  const isWhole = !hasErrorMembers(JSON.parse(cut))
  return {order, body: () => (isWhole ? cut : JSON.stringify(order))}
}

/** The text of an order with what there is to say about it, in place of what was said before. */
export function withErrorMembers(text: string, {status, detail}: Reject): string {
  const cut = withoutLast(text.trimEnd())
  const end = cut.lastIndexOf('}')
  const members = `"${PREFIX}_status":${JSON.stringify(status)},"${PREFIX}":${JSON.stringify(detail)}`
  return `${cut.slice(0, end).trimEnd()},${members}}`
}

function withoutLast(text: string): string {
  return text.replace(LAST_MEMBERS, '}')
}
