import type {FileFormat, FormatPiece} from './import-format.js'

/** An export of Insomnia, version 5, as JSON. */
export const YAML_EXPORT = {
  takes: 'file',
  name: 'json',
  starts: beginning => INSOMNIA.test(beginning.toString('latin1', 0, 1024)),
  read: async function* (chunks) {
    yield await readYamlExport(chunks)
  },
} as const satisfies FileFormat

/** The beginning of an export of Insomnia, version 5. */
const INSOMNIA = /^(---\s*\n)?(#[^\n]*\n)*type:\s*["']?[a-z]+\.insomnia\.rest\/5/

/** Parsing YAML costs 50 times as much as JSON, and cannot be stopped midway. */
const LONGEST_BYTES = 4 * 1024 * 1024

/** Pretty errors and unique keys scan the whole text again for each error and key. */
const CHEAP = {logLevel: 'error', prettyErrors: false, uniqueKeys: false} as const

const MOST_LEVELS = 512

/** Most columns of indentation, two per level. */
const DEEP_LINE = new RegExp(`^[\\s?:-]{${2 * MOST_LEVELS}}`, 'm')

/** The parser searches all of them for each. */
const MOST_ANCHORS = 4096

/** Why the parser would take hours for a YAML text. @param words of the text */
function findExcess(text: string, words: Iterable<string>): string | undefined {
  if (DEEP_LINE.test(text)) return TOO_DEEP
  let depth = 0
  let anchors = 0
  for (const word of words) {
    if (word === '[' || word === '{') depth++
    if (word === ']' || word === '}') depth--
    if (/^[&*]\S/.test(word)) anchors++
    if (depth > MOST_LEVELS) return TOO_DEEP
    if (anchors > MOST_ANCHORS) return `with more than ${MOST_ANCHORS} anchors and aliases`
  }
  return undefined
}

const TOO_DEEP = `with more than ${MOST_LEVELS} levels inside each other`

/** All of it is in memory, 4 MiB at most. */
async function readYamlExport(chunks: AsyncIterable<Uint8Array>): Promise<FormatPiece> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of chunks) {
    size += part.length
    if (size > LONGEST_BYTES) return {line: 1, why: 'it is YAML, and longer than 4 MiB'}
    parts.push(part)
  }
  const {Lexer, parse} = await import('yaml')
  const text = Buffer.concat(parts).toString('utf8')
  const excess = findExcess(text, new Lexer().lex(text))
  if (excess) return {line: 1, why: `it is YAML, ${excess}`}
  try {
    return {line: 1, json: JSON.stringify(parse(text, CHEAP))}
  } catch (error) {
    const {message, pos: [at = 0] = []} = error as Error & {readonly pos?: readonly number[]}
    return {line: text.slice(0, at).split('\n').length, why: `it is not YAML: ${message}`}
  }
}
