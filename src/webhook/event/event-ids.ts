import {createUsageError} from '../../errors.js'

/** Ids that are handed on together. */
const BATCH = 250

/** Far longer than any id, far shorter than a document. */
const LONGEST_ID = 200

/**
 * The ids that words name, in their order; `-` stands for standard input with one id a line, and only the first word of
 * a line counts, so that a TSV list will do. Memory does not grow with their number.
 *
 * @throws StorectlError `usage.no_id` for a line that is none, and as reading does
 */
export async function* readEventIds(
  words: readonly string[],
  open: (path: string) => Promise<{read(): AsyncIterable<Uint8Array>}>,
): AsyncGenerator<string[], void, void> {
  let batch: string[] = []
  for await (const id of readEachId(words, open)) {
    batch.push(id)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** How many ids there are. */
export async function countIds(ids: AsyncIterable<readonly string[]>): Promise<number> {
  let count = 0
  for await (const {length} of ids) count += length
  return count
}

async function* readEachId(
  words: readonly string[],
  open: (path: string) => Promise<{read(): AsyncIterable<Uint8Array>}>,
): AsyncGenerator<string, void, void> {
  for (const word of words) {
    if (word !== '-') yield word
    else yield* splitLines((await open('-')).read())
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let line = 0
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, {stream: true})).split('\n')
    rest = lines.pop() as string
    for (const text of lines) yield* parseIdLine(text, ++line)
    if (rest.length > LONGEST_ID) yield* parseIdLine(rest, line + 1)
  }
  yield* parseIdLine(rest, line + 1)
}

function* parseIdLine(text: string, line: number): Generator<string, void, void> {
  const [id = ''] = text.trim().split(/[\t ]/)
  if (id === '' || (line === 1 && id === 'id')) return
  if (id.length > LONGEST_ID || /[{["]/.test(id)) {
    throw createUsageError('no_id', `Line ${line} of stdin is not an event id.`, [
      'storectl webhook list -o id | …',
    ])
  }
  yield id
}
