import {escapeControls, escapeControlsInLines} from './escape-controls.js'
import type {Out} from './print.js'

/** Where people read notes: stderr. */
export type NoteOutput = Out & {
  readonly isTerminal: boolean
  /** Gives commands in a text the shop that was chosen on the command line. */
  readonly keepShop?: (text: string) => string
}

/**
 * Writes a note for people and ends its line: control characters made visible, and on a terminal its long lines broken
 * between words.
 */
export async function writeNote(stderr: NoteOutput, text: string): Promise<void> {
  const {keepShop = same => same} = stderr
  await stderr.write(`${await foldForTerminal(keepShop(escapeControlsInLines(text)), stderr)}\n`)
}

/** Writes notes without being waited for, each as one paragraph: line breaks of the text are made visible too. */
export function createNoteWriter(stderr: NoteOutput): (text: string) => Promise<void> {
  return async text => void writeNote(stderr, escapeControls(text))
}

/** The text with lines as wide as the terminal, unchanged elsewhere. The folding is loaded for a long line only. */
export async function foldForTerminal(text: string, {isTerminal, columns}: NoteOutput): Promise<string> {
  if (!isTerminal || columns === undefined || !text.split('\n').some(line => line.length > columns))
    return text
  return (await import('./table/fold-note.js')).foldNote(text, columns)
}
