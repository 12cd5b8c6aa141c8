import {createHash} from 'node:crypto'
import {createUsageError} from '../errors.js'
import {isObject} from '../language/json-object.js'
import {splitLines} from '../language/lines/split-lines.js'

/** A kind of plan stored in a file: one JSON object per line, a head first, and a hash of everything last. */
export interface SealedFormat {
  /** Key of the head whose value is 1. */
  readonly headKey: string
  /** Key of the last line that counts the lines between. */
  readonly countKey: string
  /** `a replay plan`. */
  readonly noun: string
  /** Ends error messages: `Nothing was sent.` */
  readonly unharmed: string
  /** The command that makes a new plan. */
  readonly again: string
}

/** A plan that is complete and unchanged. */
export interface SealedPlan<Head, Line> {
  readonly head: Head
  /** SHA-256 of the bytes of all lines before the last, line ends included; lower-case hex. */
  readonly hash: string
  /** Lines between head and end. */
  readonly count: number
  /** In the plan's order; may be read several times. @throws StorectlError `usage.plan_edited` */
  readLines(): AsyncGenerator<Line, void, void>
}

/** Writes a plan. Memory does not grow with its length. */
export class SealedWriter<Head extends object, Line extends object> {
  readonly #hash = createHash('sha256')
  #count = 0

  constructor(
    private readonly countKey: string,
    private readonly write: (text: string) => Promise<void>,
  ) {}

  begin(head: Head): Promise<void> {
    return this.#put([head])
  }

  add(lines: readonly Line[]): Promise<void> {
    this.#count += lines.length
    return this.#put(lines)
  }

  /** @param sums further members of the last line @returns the plan's hash */
  async end(sums: object = {}): Promise<string> {
    const hash = this.#hash.digest('hex')
    await this.write(formatLine({[this.countKey]: this.#count, ...sums, hash}))
    return hash
  }

  get count(): number {
    return this.#count
  }

  #put(values: readonly object[]): Promise<void> {
    const text = values.map(formatLine).join('')
    this.#hash.update(text)
    return this.write(text)
  }
}

function formatLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}

/**
 * Reads a plan and checks that it is unchanged.
 *
 * @param file the whole file, readable from its beginning any number of times
 * @param onLine called for each line between head and end, once
 * @throws StorectlError `usage.not_a_plan`, `usage.plan_edited`
 */
export async function readSealedPlan<Head, Line>(
  file: {readonly name: string; read(): AsyncIterable<Uint8Array>},
  format: SealedFormat,
  onLine: (line: Line) => void = () => {},
): Promise<SealedPlan<Head, Line>> {
  const readParts = () => checkParts(file.name, file.read(), format)
  let [head, hash, count] = [{}, '', 0]
  for await (const {kind, value} of readParts()) {
    if (kind === 'head') head = value
    else if (kind === 'end') hash = value.hash as string
    else {
      count++
      onLine(value as Line)
    }
  }
  return {
    ...{head: head as Head, hash, count},
    readLines: async function* () {
      for await (const {kind, value} of readParts()) if (kind === 'line') yield value as Line
    },
  }
}

interface Part {
  readonly kind: 'head' | 'line' | 'end'
  readonly value: Readonly<Record<string, unknown>>
}

/** The last line counts only if its hash covers everything before it. */
async function* checkParts(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  format: SealedFormat,
): AsyncGenerator<Part, void, void> {
  const {headKey, countKey} = format
  const hash = createHash('sha256')
  let count = -1
  let end: Part['value'] | undefined
  for await (const line of splitLines(bytes)) {
    const value = parseObject(line.bytes)
    if (count < 0 && value?.[headKey] !== 1) throw createNotAPlanError(name, format)
    if (end || !value) throw createEditedError(name, format)
    if ('hash' in value && countKey in value) {
      end = value
      continue
    }
    hash.update(line.bytes).update('\n')
    yield {kind: count < 0 ? 'head' : 'line', value}
    count++
  }
  if (count < 0) throw createNotAPlanError(name, format)
  if (end?.[countKey] !== count || end.hash !== hash.digest('hex')) throw createEditedError(name, format)
  yield {kind: 'end', value: end}
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function createNotAPlanError(name: string, {noun, unharmed, again}: SealedFormat) {
  return createUsageError('not_a_plan', `${name} is not ${noun}. ${unharmed}`, [again])
}

function createEditedError(name: string, {unharmed, again}: SealedFormat) {
  return createUsageError('plan_edited', `${name} was edited or cut off. ${unharmed}`, [again])
}
