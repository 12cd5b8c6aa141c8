import {createUsageError} from '../errors.js'

type Members = {[key: string]: unknown}

/**
 * Puts `key=value` words together into one JSON object. `a[b]=1` is a member of a member, `a[]=1` one more item of a
 * list, and `a[][b]=1` belongs to the last item of it, or to a new one where that has a `b` already.
 *
 * @param words values that read as JSON numbers, `true`, `false` or `null` become those; every other is a text
 * @param texts values that stay texts whatever they look like
 * @throws StorectlError `usage.field` for a word without a key, and for a key that is a text here and a list there
 */
export function buildMembers(words: readonly string[], texts: readonly string[] = []): Members {
  const members: Members = {}
  for (const word of words) setMember(members, word, parseTypedValue)
  for (const word of texts) setMember(members, word, text => text)
  return members
}

/**
 * The same words as a query: keys as they stand, in their order.
 *
 * @throws StorectlError `usage.field`
 */
export function buildQuery(words: readonly string[]): string {
  return words
    .map(word => {
      const {key, text} = split(word)
      return `${encodeURIComponent(key)}=${encodeURIComponent(text)}`
    })
    .join('&')
}

function setMember(members: Members, word: string, read: (text: string) => unknown): void {
  const {key, text} = split(word)
  const steps = splitKey(key)
  let at: unknown = members
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1]
    const inner = next === undefined ? read(text) : next === '' ? [] : {}
    const member = {key, step, next, inner}
    at = Array.isArray(at) ? setInList(at, member) : setInObject(at, member)
  }
}

/** One step of a key: what is put there, unless it already exists. */
interface Member {
  /** The whole key, for errors. */
  readonly key: string
  readonly step: string
  /** The step after it; `undefined` at the last one. */
  readonly next: string | undefined
  readonly inner: unknown
}

function setInObject(at: unknown, {key, step, next, inner}: Member): unknown {
  const object = at as Members
  if (step === '' || typeof at !== 'object' || at === null) throw createClashError(key)
  if (next !== undefined && Object.hasOwn(object, step)) {
    if (Array.isArray(object[step]) !== Array.isArray(inner)) throw createClashError(key)
    return object[step]
  }
  Object.defineProperty(object, step, {value: inner, enumerable: true, writable: true, configurable: true})
  return inner
}

function setInList(list: unknown[], {key, step, next, inner}: Member): unknown {
  if (step !== '') throw createClashError(key)
  const last = list.at(-1)
  const isOpen = typeof last === 'object' && last !== null && Array.isArray(last) === Array.isArray(inner)
  if (isOpen && next !== undefined && !Object.hasOwn(last, next)) return last
  list.push(inner)
  return inner
}

function split(word: string): {key: string; text: string} {
  const at = word.indexOf('=')
  if (at > 0) return {key: word.slice(0, at), text: word.slice(at + 1)}
  throw createUsageError('field', `"${word}" is not a field: write key=value.`)
}

function splitKey(key: string): string[] {
  const [, head = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? []
  if (head === '') throw createUsageError('field', `"${key}" is not a key: write key, key[member] or key[].`)
  return [head, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)]
}

function createClashError(key: string): Error {
  return createUsageError('field', `The field "${key}" conflicts with another field.`)
}

/** `007` and numbers that would not come out as they went in stay texts. */
function parseTypedValue(text: string): unknown {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  const number = /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return String(number) === text ? number : text
}
