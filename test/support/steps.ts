import {Session} from 'node:inspector/promises'
import {setFlagsFromString} from 'node:v8'
import {vi} from 'vitest'
import {PatternWalker} from './pattern-steps.js'

const MOST_STEPS = 20_000_000

let counted = 0

/** Readers catch what is thrown inside them. */
let failure: Error | undefined

/** How much a method passes over, from what it is given and what it gives. */
type Cost = (self: unknown, args: readonly unknown[], result: unknown) => number

const lengthOf = (value: unknown) => (value as {length?: number} | undefined)?.length ?? 0
const found: Cost = (self, [, from = 0], result) =>
  (Number(result) < 0 ? lengthOf(self) : Number(result)) - Number(from)
const given: Cost = (_self, _args, result) => lengthOf(result)
const all: Cost = (self, _args, result) => Math.max(lengthOf(self), lengthOf(result))

/** Methods that pass over a text, or bytes, or a list. */
const COSTS: readonly (readonly [object, Readonly<Record<string, Cost>>])[] = [
  [
    String.prototype,
    {
      ...{
        indexOf: found,
        lastIndexOf: (self, _, at) => lengthOf(self) - Math.max(0, Number(at)),
        includes: all,
      },
      ...{
        split: (self, [by]) => (by instanceof RegExp ? 0 : lengthOf(self)),
        toLowerCase: all,
        toUpperCase: all,
      },
      ...{
        trim: all,
        trimStart: all,
        trimEnd: all,
        normalize: all,
        repeat: all,
        padEnd: all,
        localeCompare: all,
      },
      startsWith: (_, [part]) => lengthOf(part),
      endsWith: (_, [part]) => lengthOf(part),
    },
  ],
  [
    Array.prototype,
    {concat: all, slice: given, join: all, indexOf: all, includes: all, find: all, findIndex: all},
  ],
  [Array.prototype, {some: all, filter: all, map: all, flat: all, reverse: all, sort: all}],
  [Array.prototype, {every: all, flatMap: all, forEach: all, reduce: all}],
  [Buffer.prototype, {toString: given, indexOf: found, includes: all, equals: all}],
  [Buffer, {concat: all, from: all}],
  [JSON, {parse: (_, [text]) => lengthOf(text), stringify: all}],
]

const walkers = new Map<string, PatternWalker>()

let isWalking = false

/** Counts V8's own step by step, and checks that it counted the same match. */
function execCounting(exec: RegExp['exec']) {
  return function (this: RegExp, text: string) {
    if (isWalking) return exec.call(this, text)
    const before = counted
    isWalking = true
    try {
      const from = this.global || this.sticky ? this.lastIndex : 0
      const result = exec.call(this, text)
      counted = before + walkAlong(this, String(text), from, result)
      return result
    } catch (error) {
      failure ??= error as Error
      throw error
    } finally {
      isWalking = false
    }
  }
}

function walkAlong(pattern: RegExp, text: string, from: number, result: RegExpExecArray | null): number {
  if (from > text.length) return 1
  const key = String(pattern)
  const walker = walkers.get(key) ?? new PatternWalker(pattern, MOST_STEPS)
  walkers.set(key, walker)
  const {index, end, steps} = walker.match(text, from)
  const isSame = result ? result.index === index && index + result[0].length === end : index === undefined
  if (!isSame && steps < MOST_STEPS)
    throw new Error(`${key} was counted wrongly at ${from} of ${text.slice(0, 200)}`)
  return steps
}

/** Puts methods that count in place of those of strings, patterns, lists and bytes. @returns a function that puts them back */
function countMethods(): () => void {
  const before: (() => void)[] = []
  const replace = (owner: object, name: string, value: unknown) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor
    before.push(() => Object.defineProperty(owner, name, descriptor))
    Object.defineProperty(owner, name, {...descriptor, value})
  }
  for (const [owner, costs] of COSTS) {
    for (const [name, cost] of Object.entries(costs)) {
      const method = (owner as Record<string, (...args: unknown[]) => unknown>)[name] as (
        ...args: unknown[]
      ) => unknown
      replace(owner, name, function (this: unknown, ...args: unknown[]) {
        const result = method.apply(this, args)
        counted += cost(this, args, result)
        return result
      })
    }
  }
  const {exec} = RegExp.prototype
  replace(RegExp.prototype, 'exec', execCounting(exec))
  return () => {
    for (const putBack of before.reverse()) putBack()
  }
}

/** Counts what a function does. */
export type CountSteps = (run: () => unknown) => Promise<number>

/**
 * Counts steps, which are the same on every machine: those of each pattern, and what the methods of texts, lists and bytes
 * pass over.
 *
 * @param blocks whether every block of our code that V8 runs is a step as well. Code is loaded anew for that, in which V8
 *   counts; so it is for a process that runs nothing else
 */
export async function openStepCounter(
  blocks: boolean,
): Promise<{count: CountSteps; close: () => Promise<void>}> {
  const takeBlocks = blocks ? await countBlocks() : undefined
  const count: CountSteps = async run => {
    await takeBlocks?.()
    counted = 0
    failure = undefined
    const putBack = countMethods()
    try {
      await run()
    } finally {
      putBack()
    }
    if (failure) throw failure
    return counted + ((await takeBlocks?.()) ?? 0)
  }
  return {count, close: async () => void (await takeBlocks?.end())}
}

async function countBlocks() {
  // Optimized code does not count.
  setFlagsFromString('--no-opt')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: true})
  vi.resetModules()
  const take = async () => {
    const {result} = await session.post('Profiler.takePreciseCoverage')
    const ours = result.filter(({url}) => url.includes('/src/'))
    const ranges = ours.flatMap(({functions}) => functions.flatMap(each => each.ranges))
    return ranges.reduce((sum, {count}) => sum + count, 0)
  }
  return Object.assign(take, {
    end: async () => {
      await session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
      setFlagsFromString('--opt')
    },
  })
}
