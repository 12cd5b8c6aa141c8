import type {OrderRules} from '../draft/draft.js'

/** An object around a list of orders: `{"orders": […]}`, `{"meta": {…}, "data": {"orders": […]}}`. */
interface JsonWrapper {
  /** The piece, with blanks in place of the text before the list. */
  readonly piece: Buffer
  /** Whether the text after the list ends the object and contains no orders. @param tail all of it, as Latin-1 */
  isEndedBy(tail: string): boolean
}

/** Bytes within which the list must begin. */
const START_BYTES = 64 * 1024
/** Another list that may hold orders. */
const MORE = /"(?:orders|data)"\s{0,99}:\s{0,99}\[\s{0,99}\{/
/** Most lists that are tried, to bound the time. */
const MOST_TRIES = 10

/**
 * Finds a list called `orders` or `data` at the beginning of an input, if the object around it is not an order.
 *
 * @param piece the first one of the input
 * @param shape what an order may contain; `undefined` if unknown; then no list is searched
 */
export function findJsonWrapper(piece: Buffer, shape: OrderRules['shape']): JsonWrapper | undefined {
  const text = piece.toString('latin1', 0, START_BYTES)
  if (!shape || !/^\s*\{/.test(text)) return undefined
  let tries = MOST_TRIES
  for (const {0: found, 1: name = '', index} of text.matchAll(/"(orders|data)"\s{0,99}:\s{0,99}\[/g)) {
    if (tries-- === 0) return undefined
    const head = text.slice(0, index + found.length - 1)
    const outer = parse(`${head}[]}`) ?? parse(`${head}[]}}`)
    if (!outer) continue
    if ([name, ...Object.keys(outer)].some(each => Object.hasOwn(shape.members, each))) return undefined
    return {
      piece: Buffer.concat([Buffer.alloc(head.length, ' '), piece.subarray(head.length)]),
      isEndedBy: tail => !MORE.test(tail) && parse(`${head}[]${tail}`) !== undefined,
    }
  }
  return undefined
}

function parse(text: string): object | undefined {
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
