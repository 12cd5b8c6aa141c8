/**
 * Puts a value into an object, and makes the objects on the way to it.
 *
 * @param keys one or more
 */
export function place(object: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  let inner = object
  const last = keys.length - 1
  for (let at = 0; at < last; at++) {
    const key = keys[at] as string
    const found = Object.hasOwn(inner, key) ? inner[key] : undefined
    if (typeof found === 'object' && found !== null) inner = found as Record<string, unknown>
    else {
      const made = {}
      put(inner, key, made)
      inner = made
    }
  }
  put(inner, keys[last] as string, value)
}

/** A custom field may have any name. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, {value, enumerable: true, writable: true, configurable: true})
}
