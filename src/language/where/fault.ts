import {type StorectlError, usageError} from '../../errors.js'

/**
 * A mistake in a condition, pointing at the column it stands in.
 *
 * @param text the whole condition
 * @param at where the mistake begins, UTF-16 units from 0; the end of the text when something is missing there
 * @param problem a sentence
 * @returns code `usage.where`; the message names the column, counted in characters from 1
 */
export function whereFault(text: string, at: number, problem: string): StorectlError {
  const column = columnOf(text, at)
  const [start, shown] = excerpt(text, column - 1)
  return usageError(
    'where',
    `--where, column ${column}: ${problem}\n  ${shown}\n  ${' '.repeat(column - 1 - start)}^`,
    ['the same command with --help   (examples of --where)'],
  )
}

/** The column of a place, in characters from 1. @param at UTF-16 units from 0 */
export function columnOf(text: string, at: number): number {
  return [...text.slice(0, at)].length + 1
}

const WIDEST = 100

/** The part of the text around a column, one character wide each, so that the mark stands under the mistake. */
function excerpt(text: string, column: number): [number, string] {
  const characters = [...text].map(character => (/\p{Cc}/u.test(character) ? ' ' : character))
  const start = characters.length <= WIDEST ? 0 : Math.max(0, column - WIDEST / 2)
  return [start, characters.slice(start, start + WIDEST).join('')]
}
