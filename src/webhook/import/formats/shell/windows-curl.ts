import {type LineReader, LONGEST_PIECE, type RawLine} from '../line-reader.js'

/** Lines of one command. */
const MOST_LINES = 200

const CARET = /\^\s*$/

/** Whether a line begins a command of Windows' cmd, where a caret takes the place of a backslash. */
export function isWindowsCommand(line: string): boolean {
  return /\^\s*$|\^["\\{]/.test(line)
}

/**
 * A command of Windows' cmd in one line, as a POSIX shell reads it: carets are taken out, and lines that end with one go
 * on. Inside double quotes both have `\"` for a quote.
 */
export async function readWindowsCommand(first: RawLine, reader: LineReader): Promise<RawLine> {
  let line = first.bytes.toString('latin1')
  const parts: string[] = []
  for (let size = 0; CARET.test(line) && parts.length < MOST_LINES && size <= LONGEST_PIECE; ) {
    const next = await reader.readLine()
    if (!next) break
    parts.push(line.replace(CARET, ' '))
    size += line.length
    line = next.bytes.toString('latin1').trim()
  }
  const text = [...parts, line].join('')
  return {...first, bytes: Buffer.from(text.replace(/\^(.)/gs, '$1'), 'latin1')}
}
