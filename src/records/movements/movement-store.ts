import {randomBytes} from 'node:crypto'
import {join} from 'node:path'
import {type Kysely, sql} from 'kysely'
import type {ProviderMovement} from '../../payment/drift/payment-facts.js'
import type {MovementStore} from '../../payment/reconcile/movement-store.js'
import type {Clock} from '../../platform/clock.js'
import {makePrivateFolder, removeIfThere} from '../../platform/files/files.js'
import {createIndex, createTable} from '../../storage/engine/create-table.js'
import type {Database, Migration} from '../../storage/engine/database.js'
import {openDatabase} from '../../storage/index.js'

interface MovementRow {
  id: string
  kind: ProviderMovement['kind']
  status: ProviderMovement['status']
  units: number
  currency: string
  at_ms: number
  order_id: string | null
  transaction_id: string | null
  invoice_id: string | null
  capture_id: string | null
  /** What its payment is told from others by. */
  payment: string
  taken: number
}

interface Tables {
  movement: MovementRow
}

const SCHEMA: Migration = {
  version: 1,
  name: 'movements',
  up: async db => {
    await createTable<MovementRow>(
      db,
      'movement',
      {
        ...{id: 'text', kind: 'text', status: 'text', units: 'integer', currency: 'text', at_ms: 'integer'},
        ...{order_id: 'text?', transaction_id: 'text?', invoice_id: 'text?', capture_id: 'text?'},
        ...{payment: 'text', taken: 'integer'},
      },
      ['id'],
    )
    for (const column of ['transaction_id', 'order_id', 'capture_id']) {
      await createIndex(db, {name: `movement_${column}`, table: 'movement', columns: [column]})
    }
    await createIndex(db, {name: 'movement_payment', table: 'movement', columns: ['taken', 'payment']})
  },
}

/** Rows of one statement: twelve parameters each. */
const ROWS_AT_ONCE = 1000
const CACHE_MIB = 8

/** A store of movements in a file that goes when it is closed. */
export interface OpenMovementStore extends MovementStore {
  close(): Promise<void>
}

/**
 * Opens an empty store in a temporary file.
 *
 * @param folder where the file is made, for the owner alone
 * @throws StorectlError as `openDatabase` does
 */
export async function openMovementStore(
  folder: string,
  clock: Pick<Clock, 'now'>,
): Promise<OpenMovementStore> {
  makePrivateFolder(folder)
  const file = join(folder, `movements-${randomBytes(6).toString('hex')}.db`)
  const db = await openDatabase<Tables>(file, {
    migrations: [SCHEMA],
    now: () => clock.now(),
    cacheMiB: CACHE_MIB,
  })
  const store = createStore(db)
  return Object.assign(store, {
    close: async () => {
      await db.close()
      for (const suffix of ['', '-wal', '-shm']) removeIfThere(`${file}${suffix}`)
    },
  })
}

function createStore({reads, writes}: Database<Tables>): MovementStore {
  let count = 0
  const markTaken = async (rows: readonly MovementRow[]) => {
    const ids = rows.filter(({taken}) => taken === 0).map(({id}) => id)
    if (ids.length === 0) return
    await writes.run(async db => {
      await db.updateTable('movement').set({taken: 1}).where('id', 'in', ids).execute()
    })
  }
  return {
    get count() {
      return count
    },
    add: async movements => {
      for (let from = 0; from < movements.length; from += ROWS_AT_ONCE) {
        const rows = movements.slice(from, from + ROWS_AT_ONCE).map(toRow)
        await writes.run(async db => {
          await db.replaceInto('movement').values(rows).execute()
        })
      }
      count += movements.length
    },
    take: async ({transactionIds, orderIds}) => {
      const named = await selectNamed(reads, 'transaction_id', transactionIds)
      const ordered = await selectNamed(reads, 'order_id', orderIds)
      const captures = [...named, ...ordered].filter(({kind}) => kind === 'capture').map(({id}) => id)
      const refunds = await selectNamed(reads, 'capture_id', captures)
      const rows = [...new Map([...named, ...ordered, ...refunds].map(row => [row.id, row])).values()]
      await markTaken(rows)
      return rows.map(toMovement)
    },
    takeRest: async (since, until, size) => {
      const {rows} = await sql<MovementRow>`
        select * from movement where taken = 0 and payment in (
          select distinct payment from movement
          where taken = 0 and at_ms between ${since.getTime()} and ${until.getTime()}
          order by payment limit ${size})`.execute(reads)
      await markTaken(rows)
      return rows.map(toMovement)
    },
  }
}

async function selectNamed(
  db: Kysely<Tables>,
  column: 'transaction_id' | 'order_id' | 'capture_id',
  values: readonly string[],
): Promise<MovementRow[]> {
  return values.length === 0
    ? []
    : db.selectFrom('movement').selectAll().where(column, 'in', values).execute()
}

function toRow(movement: ProviderMovement): MovementRow {
  const {id, kind, status, units, currency, at, orderId, transactionId, invoiceId, captureId} = movement
  return {
    ...{id, kind, status, units, currency, at_ms: at.getTime(), order_id: orderId, invoice_id: invoiceId},
    ...{transaction_id: transactionId, capture_id: captureId, taken: 0},
    payment: transactionId ?? orderId ?? captureId ?? id,
  }
}

function toMovement(row: MovementRow): ProviderMovement {
  const {id, kind, status, units, currency, at_ms, order_id, transaction_id, invoice_id, capture_id} = row
  return {
    ...{id, kind, status, units, currency, at: new Date(at_ms), orderId: order_id, invoiceId: invoice_id},
    ...{transactionId: transaction_id, captureId: capture_id},
  }
}
