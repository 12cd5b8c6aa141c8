import {escapeFormula} from '../../output/csv.js'
import {escapeControls} from '../../output/escape-controls.js'
import {Forward} from '../draft/byte-window.js'
import type {ByteRange, OrderInput} from '../draft/draft.js'
import {listCellStarts} from '../draft/header-line.js'
import {type DetectedEncoding, decodeInput, detectEncoding} from '../draft/text-encoding.js'
import type {FileLayout, TableLayout} from '../read/file-layout.js'
import {type Reject, withErrorMembers} from '../read/json.js'
import type {ReferenceScratch} from '../validate/references.js'

/** A failed order, and its position. */
export interface Rejected extends Reject {
  /** Of the inputs, from 0. */
  readonly input: number
  readonly stretches: readonly ByteRange[]
}

export interface RejectsDeps {
  readonly inputs: readonly OrderInput[]
  readonly layout: FileLayout
  readonly openScratch: () => Promise<ReferenceScratch>
  readonly write: (text: string | Uint8Array) => Promise<void>
}

const PLAIN_TEXT: DetectedEncoding = {encoding: 'utf-8', isMarked: false}

/** Characters buffered before they are stored or written. */
const CHUNK_CHARACTERS = 32_768

/**
 * Failed orders, as they are in the input, to be corrected and submitted again. During the run only positions are
 * stored, outside memory; the inputs are read again at the end.
 */
export class Rejects {
  count = 0
  #scratch: ReferenceScratch | undefined
  #text = ''

  constructor(private readonly deps: RejectsDeps) {}

  /** @param rejected in the order of the inputs */
  async add({input, stretches, status, detail}: Rejected): Promise<void> {
    this.count++
    const parts = stretches.map(({start, end}) => [start, end])
    this.#text += `${JSON.stringify([input, parts, status, escapeControls(detail)])}\n`
    if (this.#text.length > CHUNK_CHARACTERS) await this.#putAside()
  }

  /** Writes all of it; called once, at the end. */
  async finish(): Promise<void> {
    const {layout, inputs} = this.deps
    const [first] = inputs
    const writing = first ? await detectEncoding(first) : PLAIN_TEXT
    const write = (text: string) => this.deps.write(encodeText(text, writing))
    const lines = layout.kind === 'table' ? new TableText(layout) : new JsonText(layout.kind === 'list')
    const head = await lines.begin(this.deps)
    let text = `${writing.isMarked && head !== undefined ? MARK : ''}${head ?? ''}`
    let reading = -1
    let source: Forward | undefined
    for await (const {input, stretches, ...reject} of this.#readAll()) {
      if (input !== reading) {
        await source?.close()
        source = new Forward(decodeInput(inputs[input] as OrderInput))
        reading = input
      }
      for (const range of stretches)
        text += lines.formatPart(await readRange(source as Forward, range), reject)
      if (text.length > CHUNK_CHARACTERS) {
        await write(text)
        text = ''
      }
    }
    await source?.close()
    await write(text + lines.end())
  }

  async *#readAll(): AsyncGenerator<Rejected> {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const piece of this.#scratch?.read() ?? []) {
      const lines = (rest + decoder.decode(piece, {stream: true})).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield readBack(line)
    }
    for (const line of this.#text.split('\n')) if (line !== '') yield readBack(line)
  }

  async #putAside(): Promise<void> {
    this.#scratch ??= await this.deps.openScratch()
    await this.#scratch.append(Buffer.from(this.#text))
    this.#text = ''
  }
}

function readBack(line: string): Rejected {
  const [input, parts, status, detail] = JSON.parse(line) as [number, [number, number][], string, string]
  return {input, stretches: parts.map(([start, end]) => ({start, end})), status, detail}
}

async function readRange(source: Forward, {start, end}: ByteRange): Promise<string> {
  return (await source.readRange(start, end)).toString('utf8')
}

/** Spreadsheet programs recognize UTF-8 by a byte order mark. */
const MARK = '\ufeff'

/** Text in the input's encoding, so that rows keep their bytes. */
function encodeText(text: string, {encoding}: DetectedEncoding): string | Uint8Array {
  if (encoding === 'utf-8') return text
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16le' ? bytes : bytes.swap16()
}

class TableText {
  /** As the header's. */
  #lineEnd: string | undefined

  constructor(private readonly layout: TableLayout) {}

  /** @returns `undefined` if the file stays empty */
  async begin({inputs: [first]}: RejectsDeps): Promise<string | undefined> {
    const {header, skip, kept} = this.layout
    if (!first || kept === 0) return undefined
    const source = new Forward(decodeInput(first))
    const before = await readRange(source, {start: 0, end: skip})
    const line = await readRange(source, header)
    await source.close()
    return `${before}${this.#formatRow(line, ['_error_status', '_error'])}`
  }

  formatPart(row: string, {status, detail}: Reject): string {
    return this.#formatRow(row, [status, escapeFormula(detail)])
  }

  end(): string {
    return ''
  }

  #formatRow(text: string, more: readonly string[]): string {
    const {delimiter, kept} = this.layout
    const row = text.replace(/^[\r\n]+/, '')
    const [lineEnd = ''] = /(?:\r\n|\n|\r)?$/.exec(row) ?? []
    // All lines of a table have the same end; the last one may have none.
    this.#lineEnd ??= lineEnd || '\n'
    const line = row.slice(0, row.length - lineEnd.length)
    const starts = listCellStarts(line, delimiter)
    // A row may end before empty cells.
    const missing = delimiter.repeat(Math.max(0, kept - starts.length))
    const cells = line.slice(0, (starts[kept] ?? line.length + 1) - 1) + missing
    const added = more.map(cell => `"${cell.replaceAll('"', '""')}"`)
    return `${[cells, ...added].join(delimiter)}${this.#lineEnd}`
  }
}

/** In JSON, line breaks are only between values. */
function joinLines(blanks: string): string {
  return /[\r\n]/.test(blanks) ? ' ' : blanks
}

class JsonText {
  #count = 0

  constructor(private readonly isList: boolean) {}

  async begin(): Promise<string> {
    return this.isList ? '[' : ''
  }

  /** An order has a line of its own. */
  formatPart(slice: string, reject: Reject): string {
    const text = withErrorMembers(slice, reject)
    if (!this.isList) return `${text.replace(/\s+/g, joinLines)}\n`
    return `${this.#count++ === 0 ? '' : ','}\n${text}`
  }

  end(): string {
    return this.isList ? '\n]\n' : ''
  }
}
