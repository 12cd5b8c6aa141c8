import {type Kysely, sql} from 'kysely'
import type {Database} from '../../storage/engine/database.js'
import {createBatchStatement, keepByEngine, runBatch} from '../../storage/engine/statement.js'
import type {DiagnosedCause} from '../../webhook/inbox/inbox.js'
import type {RecordsTables} from '../schema/schema.js'

type Db = Kysely<RecordsTables>
type Reads = Pick<Database<RecordsTables>, 'engine' | 'reads'>

const compileOrders = keepByEngine(
  ({reads}: Reads) =>
    sql`update webhook_event set order_number = ${''} where target = ${''} and transaction_key = ${''}`.compile(
      reads,
    ).sql,
)

const compileCauses = keepByEngine(
  ({reads}: Reads) =>
    sql`update webhook_event set cause = ${''}, cause_for_ms = ${0} where target = ${''} and id = ${''}`.compile(
      reads,
    ).sql,
)

/** Stores the numbers of orders with all events of their payments. @param orders by key of the transaction */
export async function storeOrders(
  db: Db,
  reads: Reads,
  target: string,
  orders: ReadonlyMap<string, string>,
): Promise<void> {
  const lists = [...orders].map(([key, number]) => [number, target, key])
  await runBatch(db, createBatchStatement(compileOrders(reads), lists))
}

/** Stores why events failed; a cause is valid until its event changes. */
export async function storeCauses(
  db: Db,
  reads: Reads,
  target: string,
  causes: readonly DiagnosedCause[],
): Promise<void> {
  const lists = causes.map(({id, cause, changedAt}) => [cause, changedAt.getTime(), target, id])
  await runBatch(db, createBatchStatement(compileCauses(reads), lists))
}
