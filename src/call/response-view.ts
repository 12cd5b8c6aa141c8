import {StorectlError} from '../errors.js'
import type {HttpResponse} from '../http/http.js'
import {escapeControls, escapeControlsInLines} from '../output/escape-controls.js'
import {escapeJsonControls, indentJson, parseExactJson} from '../output/json/json-text.js'
import {type Row, readValueAt, type View} from '../output/view.js'

/**
 * The body for a person's terminal: JSON with indents, anything else as it is, and nothing in it that a terminal would
 * obey.
 */
export function formatBody(body: Buffer): string {
  if (body.length === 0) return ''
  const text = indentBody(body)
  return text.endsWith('\n') ? text : `${text}\n`
}

function indentBody(body: Buffer): string {
  const text = body.toString('utf8')
  try {
    return escapeJsonControls(indentJson(text))
  } catch {
    return escapeControlsInLines(text)
  }
}

/** The status and the headers, a line each, with an empty line after them. */
export function formatHead({status, headers}: Pick<HttpResponse, 'status' | 'headers'>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map(each => `${name}: ${each}`),
  )
  return `${[`HTTP ${status}`, ...lines].map(escapeControls).join('\n')}\n\n`
}

/** What a body holds as JSON, as `parseExactJson` reads it; `undefined` where it is none. */
export function parseJsonBody(body: Buffer): unknown {
  try {
    return parseExactJson(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The rows that an answer is made of: the list that it is, the `data` in it, or the thing itself. */
export function listRows(value: unknown): Row[] {
  const list = Array.isArray(value) ? value : readValueAt(value, 'data')
  const rows = Array.isArray(list) ? list : [list ?? value]
  return rows.map(row => (typeof row === 'object' && row !== null ? (row as Row) : {value: row}))
}

/** As columns, whatever in the first row is neither a list nor an object. */
export function buildView([first = {}]: readonly Row[]): View {
  const simple = Object.keys(first).filter(key => typeof first[key] !== 'object' || first[key] === null)
  const columns = (simple.length > 0 ? simple : Object.keys(first)).map(path => ({path}))
  return {
    noun: ['row', 'rows'],
    id: 'id',
    hasAnyField: true,
    columns: columns.length > 0 ? columns : [{path: 'id'}],
  }
}

/** A longer answer is not taken apart: its values take many times as much memory as its text. */
const LONGEST_BYTES = 64 * 1024 * 1024

/**
 * All bytes of an answer that is to be taken apart.
 *
 * @throws StorectlError `usage.answer_too_large` above 64 MiB
 */
export async function readWholeBody(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of pieces) {
    sizeBytes += piece.length
    if (sizeBytes > LONGEST_BYTES) {
      throw new StorectlError(
        'usage.answer_too_large',
        'The response exceeds 64 MiB, too much for rows. The request was sent.',
        {
          nextSteps: ['omit -o and --fields, and redirect the output to a file'],
        },
      )
    }
    all.push(piece)
  }
  return Buffer.concat(all)
}
