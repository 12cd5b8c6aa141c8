import {findStringEnd} from '../list-members.js'
import {type Lines, LONGEST_PIECE, type RawLine} from './line-reader.js'

/** What the runtime of a container puts before a line; `P` where the line goes on in the next. @see CRI logging format */
const CRI = /^\d{4}-\d{2}-\d{2}T\S+ (stdout|stderr) ([FP])(?::\S*)? /
/** What begins a line of a container in Docker's own file; its text goes on in the next where no line end is in it. */
const DOCKER_BEGINS = '{"log":"'
const DOCKER_STREAM = /^","stream":"(stdout|stderr)"/

interface Part {
  readonly stream: string
  readonly bytes: Buffer
  readonly goesOn: boolean
  /** What stands before and behind the text. */
  readonly frame: readonly [before: string, after: string]
}

/** Lines of containers as they were written: parts are joined, and what the runtime put before them is gone. */
export class ContainerLines implements Lines {
  readonly #open = new Map<string, {readonly first: RawLine; readonly parts: Buffer[]; size: number}>()

  constructor(private readonly lines: Lines) {}

  get first(): Buffer | undefined {
    return this.lines.first
  }

  pushBack(line: RawLine): void {
    this.lines.pushBack(line)
  }

  async readLine(): Promise<RawLine | undefined> {
    for (let next = await this.lines.readLine(); next; next = await this.lines.readLine()) {
      const part = next.isFirst && next.isLast ? readPart(next.bytes) : undefined
      if (!part) return next
      const joined = this.#join(next, part)
      if (joined) return joined
    }
    return this.#takeLast()
  }

  #join(line: RawLine, {stream, bytes, goesOn, frame}: Part): RawLine | undefined {
    const open = this.#open.get(stream) ?? {first: line, parts: [], size: 0}
    open.parts.push(bytes)
    open.size += bytes.length
    this.#open.set(stream, open)
    if (goesOn && open.size <= LONGEST_PIECE) return undefined
    this.#open.delete(stream)
    const [before, after] = frame.map(each => Buffer.from(each, 'latin1')) as [Buffer, Buffer]
    return {...open.first, bytes: Buffer.concat([before, ...open.parts, after])}
  }

  /** What has no end. */
  #takeLast(): RawLine | undefined {
    const [stream, open] = [...this.#open][0] ?? []
    if (stream === undefined || !open) return undefined
    this.#open.delete(stream)
    return {...open.first, bytes: Buffer.concat(open.parts)}
  }
}

function trimReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes
}

function readPart(bytes: Buffer): Part | undefined {
  const head = bytes.toString('latin1', 0, 64)
  const [prefix, stream, tag] = CRI.exec(head) ?? []
  if (prefix !== undefined && stream !== undefined)
    return {stream, bytes: trimReturn(bytes.subarray(prefix.length)), goesOn: tag === 'P', frame: ['', '']}
  if (!head.startsWith(DOCKER_BEGINS)) return undefined
  const line = bytes.toString('latin1')
  const end = findStringEnd(line, DOCKER_BEGINS.length)
  const [, of] = DOCKER_STREAM.exec(line.slice(end, end + 64)) ?? []
  if (of === undefined) return undefined
  const text = bytes.subarray(DOCKER_BEGINS.length, end)
  const goesOn = !line.endsWith('\\n', end)
  return {stream: of, bytes: text, goesOn, frame: [DOCKER_BEGINS, line.slice(end)]}
}
