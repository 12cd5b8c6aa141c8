import type {OrderRules} from '../draft/draft.js'

/** An object around a list of orders: `{"orders": […]}`, `{"meta": {…}, "data": {"orders": […]}}`. */
interface JsonWrapper {
  /** What was given, with blanks for what stands before the list. */
  readonly piece: Buffer
  /** Whether what stands behind the list ends the object, and holds no orders. @param tail all of it, as Latin-1 */
  isEndedBy(tail: string): boolean
}

/** Bytes in which the list begins. */
const START_BYTES = 64 * 1024
/** Another list that may hold orders. */
const MORE = /"(?:orders|data)"\s{0,99}:\s{0,99}\[\s{0,99}\{/
/** Lists that may be the one: the time that is spent is bounded. */
const MOST_TRIES = 10

/**
 * Looks for a list called `orders` or `data` in what an input begins with, where the object around it is no order.
 *
 * @param piece the first one of the input
 * @param shape what an order may hold; `undefined` where nothing is known, and no list is looked for
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
