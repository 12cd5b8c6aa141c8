import type {Kysely} from 'kysely'
import {readAllRows, runStatement} from '../../storage/engine/statement.js'
import type {ProviderMovementRow, ShopTables, VaultTokenRow} from './schema/schema.js'

type Db = Kysely<ShopTables>

/** Notes a movement of money at the provider; one that is known stays as it is. */
export async function noteMovement(db: Db, movement: ProviderMovementRow): Promise<void> {
  await runStatement(db, insertMovement, movement)
}

const insertMovement = (db: Db, movement: ProviderMovementRow) =>
  db
    .insertInto('provider_movement')
    .values({
      id: movement.id,
      kind: movement.kind,
      transaction_id: movement.transaction_id,
      sale_id: movement.sale_id,
      amount: movement.amount,
      final: movement.final,
    })
    .onConflict(conflict => conflict.column('id').doNothing())
    .compile()

/** What was captured for a transaction, in no order. */
export async function listCaptures(
  db: Db,
  transactionId: string,
): Promise<{amount: string; final: boolean}[]> {
  const rows = await readAllRows(db, selectCaptures, {transactionId})
  return rows.map(({amount, final}) => ({amount, final: final === 1}))
}

const selectCaptures = (db: Db, {transactionId}: {transactionId: string}) =>
  db
    .selectFrom('provider_movement')
    .select(['amount', 'final'])
    .where('transaction_id', '=', transactionId)
    .where('kind', '=', 'capture')
    .compile()

/** What was given back of a sale so far, in its currency. */
export async function sumSaleRefunds(db: Db, saleId: string): Promise<number> {
  const rows = await db
    .selectFrom('provider_movement')
    .select('amount')
    .where('sale_id', '=', saleId)
    .where('kind', '=', 'sale-refund')
    .execute()
  return rows.reduce((sum, {amount}) => sum + Math.abs(Number(amount)), 0)
}

type VaultTokensDb = Kysely<ShopTables>

/** Keeps a stored way to pay; one of the same id is replaced. */
export async function saveVaultToken(db: VaultTokensDb, token: VaultTokenRow): Promise<void> {
  const {token_id, ...changes} = token
  await db
    .insertInto('vault_token')
    .values(token)
    .onConflict(conflict => conflict.column('token_id').doUpdateSet(changes))
    .execute()
}

/** @returns whether there was one */
export async function deleteVaultToken(db: VaultTokensDb, tokenId: string): Promise<boolean> {
  const {numDeletedRows} = await db
    .deleteFrom('vault_token')
    .where('token_id', '=', tokenId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function findVaultToken(db: VaultTokensDb, tokenId: string): Promise<VaultTokenRow | undefined> {
  return db.selectFrom('vault_token').selectAll().where('token_id', '=', tokenId).executeTakeFirst()
}
