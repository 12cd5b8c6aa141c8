import type {LineReader, RawLine} from '../line-reader.js'

/** Lines of one command. */
const MOST_LINES = 200

/** Whether a line begins a command of Windows' cmd, where a caret takes the place of a backslash. */
export function isWindowsCommand(line: string): boolean {
  return /\^\s*$|\^["\\{]/.test(line)
}

/**
 * A command of Windows' cmd in one line, as a POSIX shell reads it: carets are taken out, and lines that end with one go
 * on. Inside double quotes both have `\"` for a quote.
 */
export async function readWindowsCommand(first: RawLine, reader: LineReader): Promise<RawLine> {
  let text = first.bytes.toString('latin1')
  for (let lines = 0; /\^\s*$/.test(text) && lines < MOST_LINES; lines++) {
    const next = await reader.readLine()
    if (!next) break
    text = `${text.replace(/\^\s*$/, ' ')}${next.bytes.toString('latin1').trim()}`
  }
  return {...first, bytes: Buffer.from(text.replace(/\^(.)/gs, '$1'), 'latin1')}
}
