import {DEEPEST_FORM, MOST_FORM_FIELDS} from '../runtime/limits.js'
import type {Parameters} from '../runtime/runtime.js'

type Node = {[key: string]: unknown}

/**
 * Parses `application/x-www-form-urlencoded` text, or a query string, like PHP: `a[b][]=x` nests, `[]` appends, dots
 * and spaces in the outermost name become underscores, of two equal names the last wins. Like PHP, ignores fields after
 * the first 1000.
 *
 * @see protocol.md §1.2
 */
export function parseForm(text: string): Parameters {
  const root = createNode()
  for (const pair of splitPairs(text)) {
    const separator = pair.indexOf('=')
    const name = separator < 0 ? pair : pair.slice(0, separator)
    addField(root, decodeFormText(name), separator < 0 ? '' : decodeFormText(pair.slice(separator + 1)))
  }
  return convertToLists(root) as Parameters
}

/** The parts between `&` signs, up to the limit. */
function* splitPairs(text: string): Generator<string> {
  let count = 0
  for (let start = 0; start <= text.length && count < MOST_FORM_FIELDS; ) {
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    if (end > start) {
      count++
      yield text.slice(start, end)
    }
    start = end + 1
  }
}

/** The same for fields whose names and values are decoded already. */
export function nestFields(fields: Iterable<readonly [name: string, value: string]>): Parameters {
  const root = createNode()
  let count = 0
  for (const [name, value] of fields) {
    if (++count > MOST_FORM_FIELDS) break
    addField(root, name, value)
  }
  return convertToLists(root) as Parameters
}

/** A name without nested keys. */
const PLAIN_NAME = /^[\w-]+$/

function addField(root: Node, name: string, value: string): void {
  if (PLAIN_NAME.test(name)) {
    root[name] = value
    return
  }
  const keys = parseFieldKeys(name)
  if (!keys) return
  let node = root
  for (const key of keys.slice(0, -1)) {
    const actual = key === '' ? findNextIndex(node) : key
    if (!isNode(node[actual])) node[actual] = createNode()
    node = node[actual] as Node
  }
  const last = keys.at(-1) as string
  node[last === '' ? findNextIndex(node) : last] = value
}

/** `a[b][]` → `a`, `b`, ``; `undefined` when there is no name at all. */
function parseFieldKeys(name: string): string[] | undefined {
  const trimmed = name.trimStart()
  const open = trimmed.indexOf('[')
  const outermost = (open < 0 ? trimmed : trimmed.slice(0, open)).replace(/[. ]/g, '_')
  if (outermost === '') return undefined
  const keys = [outermost]
  if (open < 0) return keys
  for (const [, key] of trimmed.slice(open).matchAll(/\[([^\]]*)\]/gy)) {
    if (keys.length > DEEPEST_FORM) break
    keys.push(key as string)
  }
  return keys
}

function findNextIndex(node: Node): string {
  let largest = -1
  for (const key of Object.keys(node))
    if (/^(?:0|[1-9]\d{0,8})$/.test(key)) largest = Math.max(largest, Number(key))
  return String(largest + 1)
}

/** Nodes whose keys are 0 … n−1 in order are lists. */
function convertToLists(node: Node): unknown {
  const keys = Object.keys(node)
  for (const key of keys) {
    const value = node[key]
    if (isNode(value)) node[key] = convertToLists(value)
  }
  const isList = keys.length > 0 && keys.every((key, index) => key === String(index))
  return isList ? keys.map(key => node[key]) : node
}

function createNode(): Node {
  return Object.create(null) as Node
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

/** Percent signs that do not begin an escape stay. */
function decodeFormText(text: string): string {
  if (!/[%+]/.test(text)) return text
  const spaced = text.replace(/\+/g, ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return Buffer.from(
      spaced.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString()
  }
}
