import {createUsageError} from '../../errors.js'
import type {Draft, OrderInput} from '../draft/draft.js'
import {applySettings} from '../draft/field-overrides.js'
import {listContractColumns} from '../draft/header.js'
import {type ReadOptions, selectColumns} from '../draft/read-options.js'
import {decodeInput} from '../draft/text-encoding.js'

/**
 * The orders of an input in batches, valid or not. The format is detected: JSON begins with a bracket or a brace, or has
 * a name that says so, and everything else is a table.
 *
 * @throws StorectlError `usage.encoding`, `usage.broken_gzip`, `usage.gzip_bomb`, `usage.not_text`, `usage.map`,
 *   `usage.skip_rows` and `usage.decimal` for JSON with options of tables, `usage.raw` for a table without rules by
 *   which to read it
 */
export async function* readDrafts(
  input: OrderInput,
  reading: ReadOptions,
): AsyncGenerator<Draft[], void, undefined> {
  const {isJson, isEmpty, pieces} = await peekInput(decodeInput(input), input.name)
  const drafts = isJson
    ? await readJsonOrders(input, reading, pieces)
    : await readTableOrders(input, reading, pieces, isEmpty)
  const {settings} = reading
  if (settings.length === 0 && !isJson) yield* drafts
  else for await (const batch of drafts) yield batch.map(draft => applyOverrides(draft, reading, isJson))
}

async function readJsonOrders(
  {name}: OrderInput,
  {renamed, skipRows = 0, decimal, rules}: ReadOptions,
  pieces: AsyncIterable<Buffer>,
) {
  if (renamed.size > 0) throw createUsageError('map', `${name} is JSON: --map is for the columns of tables.`)
  if (skipRows > 0)
    throw createUsageError('skip_rows', `${name} is JSON: --skip-rows is for the lines above a table.`)
  if (decimal) throw createUsageError('decimal', `${name} is JSON: --decimal is for the numbers of tables.`)
  return (await import('./json.js')).readJsonDrafts(
    pieces,
    /\.(ndjson|jsonl)(\.gz)?$/i.test(name),
    rules.shape,
  )
}

async function readTableOrders(
  {name}: OrderInput,
  reading: ReadOptions,
  pieces: AsyncIterable<Buffer>,
  isEmpty: boolean,
) {
  const columns = selectColumns(reading)
  if (!columns && !isEmpty)
    throw createUsageError('raw', `${name} is a table: --raw sends JSON as it is, and nothing else.`)
  return (await import('./csv.js')).readCsvDrafts(pieces, columns ?? listContractColumns(), reading)
}

function applyOverrides(draft: Draft, {settings, rules}: ReadOptions, isJson: boolean): Draft {
  const {order} = draft
  if (order === undefined) return draft
  const isNormalized = isJson && rules.normalize?.(order) === true
  if (settings.length === 0 && !isNormalized) return draft
  applySettings(order, settings)
  return {...draft, renderBody: () => JSON.stringify(order)}
}

async function peekInput(
  source: AsyncGenerator<Buffer, void, undefined>,
  name: string,
): Promise<{isJson: boolean; isEmpty: boolean; pieces: AsyncIterable<Buffer>}> {
  const first = await source.next()
  const start = first.done ? '' : first.value.toString('utf8', 0, 4096).trimStart()
  async function* readPieces() {
    try {
      if (!first.done) yield first.value
      yield* source
    } finally {
      await source.return()
    }
  }
  const isJson = /^[{[]/.test(start) || (start !== '' && /\.(json|ndjson|jsonl)(\.gz)?$/i.test(name))
  return {isJson, isEmpty: first.done === true, pieces: readPieces()}
}
