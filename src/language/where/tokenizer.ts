import {createUsageError, type StorectlError} from '../../errors.js'

/** A piece of a condition; `at` counts UTF-16 units from 0. */
export interface Token {
  readonly kind: 'word' | 'text' | 'bare' | 'operator' | '(' | ')' | ',' | 'end'
  /** As typed, except that `text` is unquoted. */
  readonly text: string
  readonly at: number
}

const SPACE = /[ \t\r\n]+/y
const WORD = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*/y
const BARE = /-?\d[0-9A-Za-z:+.-]*/y
const OPERATOR = /!=|<=|>=|=|<|>/y
const QUOTED = /"(?:[^"\\]|\\["\\])*"|'(?:[^'\\]|\\['\\])*'/y

/**
 * Cuts a condition into tokens; the last one is `end`.
 *
 * @throws StorectlError `usage.where`, pointing at what fits nowhere
 */
export function tokenize(text: string): Token[] {
  const found: Token[] = []
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  while (true) {
    at += take(SPACE)?.length ?? 0
    if (at >= text.length) break
    const token = readToken(text, at, take)
    found.push(token.token)
    at += token.length
  }
  found.push({kind: 'end', text: '', at: text.length})
  return found
}

function readToken(
  text: string,
  at: number,
  take: (pattern: RegExp) => string | undefined,
): {token: Token; length: number} {
  const character = text[at] as string
  if (character === '(' || character === ')' || character === ',') {
    return {token: {kind: character, text: character, at}, length: 1}
  }
  const operator = take(OPERATOR)
  if (operator !== undefined) return {token: {kind: 'operator', text: operator, at}, length: operator.length}
  const word = take(WORD)
  if (word !== undefined) return {token: {kind: 'word', text: word, at}, length: word.length}
  const bare = take(BARE)
  if (bare !== undefined) return {token: {kind: 'bare', text: bare, at}, length: bare.length}
  const quoted = take(QUOTED)
  if (quoted === undefined) throw createStrayCharacterError(text, at)
  return {token: {kind: 'text', text: unquote(quoted), at}, length: quoted.length}
}

function unquote(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/gs, '$1')
}

function createStrayCharacterError(text: string, at: number) {
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  if (character === '"' || character === "'") {
    return createWhereError(
      text,
      at,
      `this ${character} is never closed; inside, write \\${character} and \\\\.`,
    )
  }
  const instead: Record<string, string> = {'&': 'and', '|': 'or', '!': 'not', '~': 'contains'}
  const meant = instead[character]
  const hint = meant ? `write "${meant}"` : 'text goes in quotes'
  return createWhereError(text, at, `${JSON.stringify(character)} has no meaning here; ${hint}.`)
}

/**
 * A mistake in a condition, pointing at its column.
 *
 * @param text the whole condition
 * @param at where the mistake begins, UTF-16 units from 0; the end of the text when something is missing there
 * @param problem a sentence
 * @returns code `usage.where`; the message names the column, counted in characters from 1
 */
export function createWhereError(text: string, at: number, problem: string): StorectlError {
  const column = computeColumn(text, at)
  const [start, shown] = cutExcerpt(text, column - 1)
  return createUsageError(
    'where',
    `--where, column ${column}: ${problem}\n  ${shown}\n  ${' '.repeat(column - 1 - start)}^`,
    ['add --help for examples of --where'],
  )
}

/** The column of a place, in characters from 1. @param at UTF-16 units from 0 */
export function computeColumn(text: string, at: number): number {
  return [...text.slice(0, at)].length + 1
}

const WIDEST = 100

/** The part of the text around a column, one character wide each, so that the mark stands under the mistake. */
function cutExcerpt(text: string, column: number): [number, string] {
  const characters = [...text].map(character => (/\p{Cc}/u.test(character) ? ' ' : character))
  const start = characters.length <= WIDEST ? 0 : Math.max(0, column - WIDEST / 2)
  return [start, characters.slice(start, start + WIDEST).join('')]
}
