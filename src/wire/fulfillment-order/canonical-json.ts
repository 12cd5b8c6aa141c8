/**
 * The one way to write a JSON value: names sorted by UTF-16 units, no spaces, numbers as ECMAScript writes them.
 *
 * @param value what `JSON.parse` returns; members that are `undefined` are left out
 * @throws TypeError on numbers that JSON cannot hold
 * @see RFC 8785 §3.2
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return canonicalObject(value as Record<string, unknown>)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON cannot hold ${value}`)
  return JSON.stringify(value) ?? 'null'
}

function canonicalObject(object: Record<string, unknown>): string {
  const members: string[] = []
  for (const name of Object.keys(object).sort()) {
    const value = object[name]
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${canonicalJson(value)}`)
  }
  return `{${members.join(',')}}`
}
