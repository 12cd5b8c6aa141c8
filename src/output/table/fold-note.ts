import {measureWidth} from './grid.js'

/** A command that people copy, with the prompt before it, up to what cannot belong to it; it is never broken. */
const COMMAND = /((?:\$ )?storectl(?: (?!-- )[^\s"();]+| "[^"]*")+)/

/**
 * The text with lines of at most `columns`, broken between words. A command stays on one line however long it is, and so
 * does a line that begins with blanks: it shows a next step, or points at a column.
 */
export function foldNote(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap(line =>
      line.startsWith(' ') || measureWidth(line) <= columns ? [line] : foldLine(line, columns),
    )
    .join('\n')
}

function foldLine(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of splitWords(text)) {
    if (line !== '' && measureWidth(line + word.trimEnd()) > columns) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += word
  }
  return [...lines, line.trimEnd()]
}

/** Words with the blanks after them; a command is one word, with the punctuation around it. */
function splitWords(text: string): string[] {
  const pieces = text
    .split(COMMAND)
    .map((piece, at) => (at % 2 === 0 ? piece : piece.replaceAll(' ', '\u0000')))
  return (pieces.join('').match(/[^ ]+ */g) ?? []).map(word => word.replaceAll('\u0000', ' '))
}
