import {createUsageError, StorectlError} from '../../errors.js'
import {detectUnicode} from '../../language/encodings.js'
import {peekInput} from '../../language/peek-input.js'

/** Ids per batch. */
const BATCH = 250

/** Far longer than any id, far shorter than a document. */
const LONGEST_ID = 200

/** Longer than any line of a list, and too short to fill the memory; characters. */
const LONGEST_LINE = 64 * 1024

/** Whether a word looks like the id of an event rather than the name of a file. @see protocol.md §4.7 */
export function isLikeEventId(word: string): boolean {
  return /^WH-[A-Z0-9]+(-[A-Z0-9]+)?$/i.test(word)
}

/**
 * The ids that words name, in their order; `-` stands for standard input with one id per line, or several separated by
 * commas or blanks. A table with a header, quotes, commas, semicolons or tabs works too: its column of ids counts, else
 * the first one. It may be UTF-16. Memory does not grow with the number of ids.
 *
 * @throws StorectlError `usage.no_id` for a line that is none, and as reading does
 */
export async function* readEventIds(
  words: readonly string[],
  open: (path: string) => Promise<{read(): AsyncIterable<Uint8Array>}>,
): AsyncGenerator<string[], void, void> {
  let batch: string[] = []
  for await (const id of readEachId(words, open)) {
    batch.push(id)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** How many ids there are. */
export async function countIds(ids: AsyncIterable<readonly string[]>): Promise<number> {
  let count = 0
  for await (const {length} of ids) count += length
  return count
}

/** The ids of an input that is a list of them, as `readEventIds` takes one; `undefined` where it may hold events. */
export async function readIdList(chunks: AsyncIterable<Uint8Array>): Promise<string[] | undefined> {
  const ids: string[] = []
  try {
    for await (const {id, text} of readIdLines(chunks)) {
      if (!isLikeEventId(id) || text.includes('{')) return undefined
      ids.push(id)
    }
  } catch (error) {
    if (error instanceof StorectlError && error.code === 'usage.no_id') return undefined
    throw error
  }
  return ids.length > 0 ? ids : undefined
}

/** The ids of the provider's events anywhere in a text, each once; only ids of the provider's length. */
export function findEventIds(text: string): string[] {
  return [...new Set(text.match(/\bWH-[0-9A-Z]{14,20}-[0-9A-Z]{14,20}\b/g))]
}

async function* readEachId(
  words: readonly string[],
  open: (path: string) => Promise<{read(): AsyncIterable<Uint8Array>}>,
): AsyncGenerator<string, void, void> {
  for (const word of words) {
    if (word !== '-') yield word
    else for await (const {id} of readIdLines((await open('-')).read())) yield id
  }
}

/** An id with the line that it is from, from 1. */
interface IdLine {
  readonly id: string
  readonly text: string
  readonly line: number
}

async function* readIdLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<IdLine, void, void> {
  const list = new IdList()
  let rest = ''
  let line = 0
  for await (const text of decodeChunks(chunks)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() as string
    for (const each of lines) yield* list.read(each, ++line)
    if (rest.length > LONGEST_LINE) throw createNoIdError(line + 1)
  }
  yield* list.read(rest, line + 1)
  yield* list.end()
}

async function* decodeChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const {beginning, readChunks} = await peekInput(chunks, 2)
  const decoder = new TextDecoder(detectUnicode(beginning))
  for await (const chunk of readChunks()) yield decoder.decode(chunk, {stream: true})
}

const HEADING = /^(?:(?:webhook|event)[ _-]?)*ids?$/i

/** Reads lines of ids: the header, or the first line with an id, shows which column has them. */
class IdList {
  #column: number | undefined
  #isBegun = false
  /** The first line, which is a header if the next has an id, and it has no id and no digit. */
  #first: IdLine | undefined;

  *read(text: string, line: number): Generator<IdLine, void, void> {
    const cells = splitCells(text)
    if (cells.every(cell => cell === '')) return
    const likely = cells.findIndex(isLikeEventId)
    const isFirst = !this.#isBegun
    this.#isBegun = true
    if (isFirst && likely < 0) {
      const heading = cells.findIndex(cell => HEADING.test(cell))
      if (heading >= 0) this.#column = heading
      else this.#first = {id: cells[0] as string, text, line}
      return
    }
    if (likely >= 0 && !/\d/.test(this.#first?.text ?? '')) this.#first = undefined
    yield* this.end()
    const filled = cells.filter(cell => cell !== '')
    if (filled.every(isLikeEventId)) {
      for (const id of filled) yield {id, text, line}
      return
    }
    this.#column ??= DELIMITER.test(text) && likely >= 0 ? likely : 0
    yield checkId({id: cells[this.#column] ?? '', text, line})
  }

  /** The first line, if it turned out not to be a header. */
  *end(): Generator<IdLine, void, void> {
    const first = this.#first
    this.#first = undefined
    if (first) yield checkId(first)
  }
}

/** Cells without the quotes around them, and without the brackets of a JSON list. */
function splitCells(line: string): string[] {
  const plain = line.trimEnd()
  if (!DELIMITER.test(plain)) return plain.trimStart().split(' ').map(cleanCell)
  const cells = ['']
  for (const part of plain.match(/"[^"]*"|[^,;\t"]+|[,;\t"]/g) ?? []) {
    if (DELIMITER.test(part) && part.length === 1) cells.push('')
    else cells.push(cells.pop() + part)
  }
  return cells.map(cleanCell)
}

const DELIMITER = /[,;\t]/

function cleanCell(cell: string): string {
  const text = cell.trim().replace(/^\[/, '').replace(/\]$/, '').trim()
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text
}

function checkId(found: IdLine): IdLine {
  const {id, line} = found
  if (id === '' || id.length > LONGEST_ID || /[{["]/.test(id)) throw createNoIdError(line)
  return found
}

function createNoIdError(line: number): StorectlError {
  return createUsageError('no_id', `Line ${line} of stdin is not an event id.`, [
    'storectl webhook list -o id | …',
  ])
}
