import {type Kysely, sql} from 'kysely'
import type {ProviderMovement} from '../../payment/drift/payment-facts.js'
import {listDistinctMovements} from '../../payment/drift/sum-movements.js'
import type {ComparisonStep, ComparisonStore, StoredStep} from '../../payment/reconcile/comparison.js'
import type {FoundDrift} from '../../payment/reconcile/drift-row.js'
import {listKeys} from '../../payment/reconcile/movement-index.js'
import type {Database} from '../../storage/engine/database.js'
import {openDatabase} from '../../storage/index.js'
import {COMPARISON_SCHEMA, type ComparisonTables, indexRest, type MovementRow} from './comparison-schema.js'

/** Rows in one statement, with thirteen parameters each. */
const ROWS_AT_ONCE = 1000
const CACHE_MIB = 8

/** Differences in one read. */
const FOUND_AT_ONCE = 250

type Tables = ComparisonTables

/** A store of one comparison in a file. */
export interface OpenComparisonStore extends ComparisonStore {
  /** The findings for payments, by their keys: `id:…`, `order:…`. */
  findDrift(paymentKeys: readonly string[]): Promise<Map<string, FoundDrift>>
  /** Removes data that only an unfinished comparison needs, and frees its space. */
  dropMovements(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the store of a comparison.
 *
 * @param file made where there is none
 * @throws StorectlError as `openDatabase` does
 */
export async function openComparisonStore(file: string, now: () => Date): Promise<OpenComparisonStore> {
  const options = {migrations: COMPARISON_SCHEMA, now, cacheMiB: CACHE_MIB}
  const db = await openDatabase<Tables>(file, options)
  const {reads, writes} = db
  return {
    ...createMovements(db),
    save: step => writes.run(transaction => saveStep(transaction, step)),
    readStep: () => readStep(reads),
    readFound: () => readFound(reads),
    findDrift: keys => findDrift(reads, keys),
    dropMovements: async () => {
      await writes.run(async transaction => {
        await transaction.schema.dropTable('movement').ifExists().execute()
      })
      await db.erase()
    },
    close: () => db.close(),
  }
}

function createMovements({reads, writes}: Database<Tables>) {
  return {
    add: async (movements: readonly ProviderMovement[]) => {
      for (let from = 0; from < movements.length; from += ROWS_AT_ONCE) {
        const rows = movements.slice(from, from + ROWS_AT_ONCE).map(toRow)
        await writes.run(async db => {
          await db.replaceInto('movement').values(rows).execute()
        })
      }
    },
    countMovements: async () => {
      const {count} = await reads
        .selectFrom('movement')
        .select(({fn}) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    find: async ({transactionIds, orderIds}: Parameters<ComparisonStore['find']>[0]) => {
      const named = await selectNamed(reads, 'transaction_id', transactionIds)
      const others = await selectNamed(reads, 'order_id', orderIds, transactionIds)
      const captures = [...named, ...others].filter(({kind}) => kind === 'capture').map(({id}) => id)
      const refunds = await selectNamed(reads, 'capture_id', captures)
      const rows = listDistinctMovements([...named, ...others, ...refunds])
      return rows.map(toMovement)
    },
    listRest: async ({since, until, after, size}: Parameters<ComparisonStore['listRest']>[0]) => {
      if (after === '') await writes.run(indexRest)
      const {rows} = await sql<MovementRow>`
        select * from movement where taken = 0 and payment in (
          select distinct payment from movement
          where taken = 0 and payment > ${after} and at_ms between ${since.getTime()} and ${until.getTime()}
          order by payment limit ${size})`.execute(reads)
      const last = rows.reduce((highest, {payment}) => (payment > highest ? payment : highest), after)
      return {movements: rows.map(toMovement), last}
    },
  }
}

/** @param without transactions whose movements are already known, because reading rows is slow */
async function selectNamed(
  db: Kysely<Tables>,
  column: 'transaction_id' | 'order_id' | 'capture_id',
  values: readonly string[],
  without: readonly string[] = [],
): Promise<MovementRow[]> {
  if (values.length === 0) return []
  const named = db.selectFrom('movement').selectAll().where(column, 'in', values)
  if (without.length === 0) return named.execute()
  return named
    .where(({eb, or}) => or([eb('transaction_id', 'is', null), eb('transaction_id', 'not in', without)]))
    .execute()
}

async function saveStep(db: Kysely<Tables>, step: ComparisonStep): Promise<void> {
  const {position, progress, taken, isLookedUp, candidates, found} = step
  if (taken.length > 0)
    await db.updateTable('movement').set({taken: 1}).where('id', 'in', taken).where('taken', '=', 0).execute()
  if (isLookedUp) await db.deleteFrom('candidate').execute()
  if (candidates.length > 0) {
    const from = await readHighest(db, 'candidate')
    const rows = candidates.map((each, index) => ({number: from + index, candidate: JSON.stringify(each)}))
    await db.insertInto('candidate').values(rows).execute()
  }
  await addFound(db, found)
  const row = {number: 1, position: JSON.stringify(position), progress: JSON.stringify(progress)}
  await db.replaceInto('step').values(row).execute()
}

async function addFound(db: Kysely<Tables>, found: readonly FoundDrift[]): Promise<void> {
  if (found.length === 0) return
  const from = await readHighest(db, 'found')
  const rows = found.map((each, index) => ({
    number: from + index,
    kind: each.drift.kind,
    found: JSON.stringify(each),
  }))
  await db.insertInto('found').values(rows).execute()
  const keys = found.flatMap((each, index) =>
    listPaymentKeys(each).map(payment_key => ({payment_key, number: from + index})),
  )
  if (keys.length > 0) await db.insertInto('found_key').values(keys).execute()
}

/** All attempts of the payment; for one that the shop does not know, the keys in the provider's movements. */
function listPaymentKeys({facts: {shop, provider}}: FoundDrift): string[] {
  const {transactionIds, orderIds} = shop
    ? listKeys([shop])
    : {
        transactionIds: provider.movements.flatMap(({transactionId}) => transactionId ?? []),
        orderIds: provider.movements.flatMap(({orderId}) => orderId ?? []),
      }
  const keys = [...transactionIds.map(id => `id:${id}`), ...orderIds.map(id => `order:${id}`)]
  return [...new Set(keys)]
}

/** The number of the next row. */
async function readHighest(db: Kysely<Tables>, table: 'candidate' | 'found'): Promise<number> {
  const {highest} = await db
    .selectFrom(table)
    .select(({fn}) => fn.max('number').as('highest'))
    .executeTakeFirstOrThrow()
  return Number(highest ?? 0) + 1
}

async function readStep(db: Kysely<Tables>): Promise<StoredStep | undefined> {
  const step = await db.selectFrom('step').selectAll().executeTakeFirst()
  if (!step) return undefined
  const rows = await db.selectFrom('candidate').select('candidate').orderBy('number').execute()
  return {
    position: JSON.parse(step.position),
    progress: JSON.parse(step.progress),
    candidates: rows.map(({candidate}) => parseWithDates(candidate)),
  }
}

async function* readFound(db: Kysely<Tables>): AsyncGenerator<readonly FoundDrift[], void, void> {
  let last = 0
  for (;;) {
    const rows = await db
      .selectFrom('found')
      .select(['number', 'found'])
      .where('number', '>', last)
      .orderBy('number')
      .limit(FOUND_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    last = rows.at(-1)?.number ?? last
    yield rows.map(({found}) => parseWithDates<FoundDrift>(found))
  }
}

async function findDrift(
  db: Kysely<Tables>,
  paymentKeys: readonly string[],
): Promise<Map<string, FoundDrift>> {
  if (paymentKeys.length === 0) return new Map()
  const rows = await db
    .selectFrom('found_key')
    .innerJoin('found', 'found.number', 'found_key.number')
    .select(['found_key.payment_key', 'found.found'])
    .where('found_key.payment_key', 'in', paymentKeys)
    .execute()
  return new Map(rows.map(row => [row.payment_key, parseWithDates<FoundDrift>(row.found)]))
}

const DATES = new Set(['at', 'createdAt', 'dueAt', 'expiresAt'])

function parseWithDates<Value>(text: string): Value {
  return JSON.parse(text, (key, value) =>
    DATES.has(key) && typeof value === 'string' ? new Date(value) : value,
  )
}

function toRow(movement: ProviderMovement): MovementRow {
  const {id, kind, status, units, currency, at, orderId, transactionId, invoiceId, captureId} = movement
  return {
    ...{id, kind, status, units, currency, at_ms: at.getTime(), order_id: orderId, invoice_id: invoiceId},
    ...{transaction_id: transactionId, capture_id: captureId, reversed: movement.reversed ?? null, taken: 0},
    payment: transactionId ?? orderId ?? captureId ?? id,
  }
}

function toMovement(row: MovementRow): ProviderMovement {
  const {
    id,
    kind,
    status,
    units,
    currency,
    at_ms,
    order_id,
    transaction_id,
    invoice_id,
    capture_id,
    reversed,
  } = row
  return {
    ...{id, kind, status, units, currency, at: new Date(at_ms), orderId: order_id, invoiceId: invoice_id},
    ...{transactionId: transaction_id, captureId: capture_id},
    ...(reversed === 'all' || reversed === 'part' ? {reversed} : {}),
  }
}
