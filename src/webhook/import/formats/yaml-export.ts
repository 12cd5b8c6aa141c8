/** What an export of Insomnia, version 5, begins with. */
const INSOMNIA = /^(---\s*\n)?(#[^\n]*\n)*type:\s*["']?[a-z]+\.insomnia\.rest\/5/

/** Whether a file is an export in YAML. */
export function startsYamlExport(beginning: Uint8Array): boolean {
  return INSOMNIA.test(Buffer.from(beginning.subarray(0, 1024)).toString('latin1'))
}

/** Reading YAML costs 50 times what JSON does, and nothing can stop it midway. */
const LONGEST_BYTES = 4 * 1024 * 1024

/** Pretty errors and unique keys look at all the text again for each error and key. */
const CHEAP = {logLevel: 'error', prettyErrors: false, uniqueKeys: false} as const

const MOST_LEVELS = 512

/** Two columns a level, of which no line begins with more. */
const DEEP_LINE = new RegExp(`^[\\s?:-]{${2 * MOST_LEVELS}}`, 'm')

/** Whether values are so deep inside each other that the parser would take hours. @param words of the text */
function isTooDeep(text: string, words: Iterable<string>): boolean {
  if (DEEP_LINE.test(text)) return true
  let depth = 0
  for (const word of words) {
    if (word === '[' || word === '{') depth++
    if (word === ']' || word === '}') depth--
    if (depth > MOST_LEVELS) return true
  }
  return false
}

/** Reads an export in YAML as the JSON that it stands for. All of it is in memory, 4 MiB at most. */
export async function readYamlExport(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of chunks) {
    size += part.length
    if (size > LONGEST_BYTES) return {line: 1, why: 'it is YAML, and longer than 4 MiB'}
    parts.push(part)
  }
  const {Lexer, parse} = await import('yaml')
  const text = Buffer.concat(parts).toString('utf8')
  if (isTooDeep(text, new Lexer().lex(text)))
    return {line: 1, why: 'it is YAML, with more than 512 levels inside each other'}
  try {
    const bytes = Buffer.from(JSON.stringify(parse(text, CHEAP)))
    return {line: 1, json: {bytes, line: 1, role: 'value', isTooLong: false, isTooDeep: false} as const}
  } catch (error) {
    const {message, pos: [at = 0] = []} = error as Error & {readonly pos?: readonly number[]}
    return {line: text.slice(0, at).split('\n').length, why: `it is no YAML: ${message}`}
  }
}
