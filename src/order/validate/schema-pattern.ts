import {RE2JS} from 're2js'

/** A pattern that cannot be run in linear time, or is invalid. */
export class UnusablePattern extends Error {
  constructor(
    readonly source: string,
    readonly why: string,
    /** Whether JavaScript could run it. */
    readonly isPattern: boolean,
  ) {
    super(why)
  }
}

/**
 * A pattern of a schema, in an engine whose time is linear in the length of the text, whatever the pattern. Its results
 * are JavaScript's; look-around and back-references are not possible in linear time.
 *
 * @param flags `u` at most, as the validator passes them
 * @throws UnusablePattern
 * @see ECMA-262 §22.2
 */
export function createPattern(source: string, flags: string) {
  const pattern = compilePattern(source, flags)
  // The validator distinguishes patterns by their text.
  return {toString: () => `/${source}/${flags}`, test: (text: string) => pattern.test(text)}
}
createPattern.code = 'createPattern'

function compilePattern(source: string, flags: string): RE2JS {
  let isPattern = false
  try {
    new RegExp(source, flags)
    isPattern = true
    return RE2JS.compile(RE2JS.translateRegExp(writeOutClasses(source)))
  } catch (error) {
    const why = (error as Error).message.replace(/^error parsing regexp: /, '')
    throw new UnusablePattern(source, why, isPattern)
  }
}

const SPACES =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const OTHERS =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

/** Syntax of both with a different meaning in JavaScript, rewritten for RE2. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ...{'\\s': `[${SPACES}]`, '\\S': `[${OTHERS}]`, '.': '[^\\n\\r\\x{2028}\\x{2029}]'},
  ...{'[^]': '(?s:.)', '[]': '[^\\x00-\\x{10ffff}]'},
}
const WRITTEN_OUT_IN_CLASS: Readonly<Record<string, string>> = {'\\s': SPACES, '\\S': OTHERS, '[': '\\['}

/** `.` and `\s` of RE2 know fewer line ends and blanks. */
function writeOutClasses(source: string): string {
  let isInClass = false
  return source.replace(/\\.|\[\^?\]|\[\^?|\]|[^\\[\]]/gsu, token => {
    if (!isInClass && (token === '[' || token === '[^')) isInClass = true
    else if (isInClass && token === ']') isInClass = false
    else if (isInClass) return WRITTEN_OUT_IN_CLASS[token] ?? token
    else if (token === '\\k') throw new Error('back-reference by name')
    return (isInClass ? undefined : WRITTEN_OUT[token]) ?? token
  })
}

/** Where a schema has a pattern, as a JSON pointer; empty if nowhere. */
export function locatePattern(schema: unknown, source: string, at = ''): string {
  if (typeof schema !== 'object' || schema === null) return ''
  for (const [name, member] of Object.entries(schema)) {
    const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (name === 'pattern' && member === source) return pointer
    const isNamed = name === 'patternProperties' && Object.hasOwn(Object(member), source)
    const found = isNamed ? pointer : locatePattern(member, source, pointer)
    if (found !== '') return found
  }
  return ''
}
