import {whereFault} from './fault.js'

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
export function tokens(text: string): Token[] {
  const found: Token[] = []
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  while (true) {
    at += take(SPACE)?.length ?? 0
    if (at >= text.length) break
    const token = nextToken(text, at, take)
    found.push(token.token)
    at += token.length
  }
  found.push({kind: 'end', text: '', at: text.length})
  return found
}

function nextToken(
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
  if (quoted === undefined) throw strayCharacter(text, at)
  return {token: {kind: 'text', text: unquoted(quoted), at}, length: quoted.length}
}

function unquoted(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/gs, '$1')
}

function strayCharacter(text: string, at: number) {
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  if (character === '"' || character === "'") {
    return whereFault(text, at, `this ${character} is never closed; inside, write \\${character} and \\\\.`)
  }
  const instead: Record<string, string> = {'&': 'and', '|': 'or', '!': 'not', '~': 'contains'}
  const meant = instead[character]
  const wish = meant ? `write "${meant}"` : 'text goes in quotes'
  return whereFault(text, at, `${JSON.stringify(character)} has no meaning here; ${wish}.`)
}
