import type {OrderRules} from '../draft/draft.js'
import {emptySlice, JsonSlicer, LONGEST_SLICE_BYTES, type OrderSlice} from './json-slices.js'

/** A list of orders inside an object: `{"orders": […]}`, `{"meta": {…}, "data": {"orders": […]}}`. */
interface JsonWrapper {
  /** Bytes before the list. */
  readonly listStart: number
  /** Whether what stands behind the list ends the object. @param tail all of it */
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
 * @param shape what an order may hold; `undefined` where nothing is known, and no list is looked for
 */
function findJsonWrapper(start: Buffer, shape: OrderRules['shape']): JsonWrapper | undefined {
  const text = start.toString('latin1', 0, START_BYTES)
  if (!shape || !/^\s*\{/.test(text)) return undefined
  let tries = MOST_TRIES
  for (const {0: found, 1: name = '', index} of text.matchAll(/"(orders|data)"\s{0,99}:\s{0,99}\[/g)) {
    if (tries-- === 0) return undefined
    const listStart = index + found.length - 1
    const head = text.slice(0, listStart)
    const outer = parse(`${head}[]}`) ?? parse(`${head}[]}}`)
    if (!outer) continue
    const isOrder = [name, ...Object.keys(outer)].some(each => Object.hasOwn(shape.members, each))
    if (isOrder) return undefined
    const isEndedBy = (tail: string) => !MORE.test(tail) && parse(`${head}[]${tail}`) !== undefined
    return {listStart, isEndedBy}
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

const BEHIND_LIST = 'text behind the list that does not end the object around it, or more orders'

/** Cuts JSON into orders as `JsonSlicer` does, also those of a list that an object is around. */
export class WrappedSlicer {
  #slicer: JsonSlicer | undefined
  #wrapper: JsonWrapper | undefined
  #offset = 0
  /** Behind the list. */
  #tail = ''

  /** @param shape what an order may hold, so that an object around a list is told from one */
  constructor(
    private readonly byLine: boolean,
    private readonly shape: OrderRules['shape'],
  ) {}

  /** The slices that end in the next piece of the input. */
  *push(piece: Buffer): Generator<OrderSlice> {
    const slicer = this.#open(piece)
    if (slicer.listEnd === undefined) yield* slicer.push(this.#blankStart(piece))
    const end = slicer.listEnd
    if (this.#wrapper && end !== undefined && this.#tail.length < LONGEST_SLICE_BYTES)
      this.#tail += piece.toString('latin1', Math.max(0, end - this.#offset))
    this.#offset += piece.length
  }

  /** What is left when the input ends. */
  *finish(): Generator<OrderSlice> {
    const slicer = this.#slicer ?? new JsonSlicer(this.byLine)
    const end = slicer.listEnd
    if (!this.#wrapper || end === undefined) yield* slicer.finish()
    else if (!this.#wrapper.isEndedBy(this.#tail)) yield emptySlice(end, BEHIND_LIST)
  }

  #open(piece: Buffer): JsonSlicer {
    if (this.#slicer) return this.#slicer
    if (!this.byLine) this.#wrapper = findJsonWrapper(piece, this.shape)
    this.#slicer = new JsonSlicer(this.byLine, this.#wrapper !== undefined)
    return this.#slicer
  }

  /** The list stands where it stood, and nothing before it. */
  #blankStart(piece: Buffer): Buffer {
    if (!this.#wrapper || this.#offset > 0) return piece
    const {listStart} = this.#wrapper
    return Buffer.concat([Buffer.alloc(listStart, ' '), piece.subarray(listStart)])
  }
}
