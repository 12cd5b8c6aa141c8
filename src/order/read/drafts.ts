import type {Draft} from './draft.js'
import {utf8} from './utf8.js'

/** Something to read orders from, as often as is needed. */
export interface OrderInput {
  /** For messages: `orders.csv`, `stdin`. */
  readonly name: string
  read(): AsyncIterable<Buffer>
}

/**
 * The orders of an input in batches, right or wrong. What it is, is found out: JSON begins with a bracket or a brace,
 * and everything else is a table.
 *
 * @throws StorectlError `usage.encoding`, `usage.gzip`
 */
export async function* draftsOf(input: OrderInput): AsyncGenerator<Draft[], void, undefined> {
  const {isJson, pieces} = await lookedAt(utf8(input.read(), input.name))
  if (isJson)
    yield* (await import('./json.js')).jsonDrafts(pieces, /\.(ndjson|jsonl)(\.gz)?$/i.test(input.name))
  else yield* (await import('./csv.js')).csvDrafts(pieces)
}

async function lookedAt(
  source: AsyncGenerator<Buffer, void, undefined>,
): Promise<{isJson: boolean; pieces: AsyncIterable<Buffer>}> {
  const first = await source.next()
  const start = first.done ? '' : first.value.toString('utf8', 0, 4096).trimStart()
  async function* pieces() {
    try {
      if (!first.done) yield first.value
      yield* source
    } finally {
      await source.return()
    }
  }
  return {isJson: start.startsWith('{') || start.startsWith('['), pieces: pieces()}
}
