import {type RawBuilder, sql} from 'kysely'
import {PROVIDER_ORDER_FIELD, PROVIDER_PAYMENT_FIELD} from '../../providers/paypal/notification/handlers.js'
import {stateMachineHistory} from '../../shopware/entities/lookups.js'
import {fold} from '../../shopware/fold-text.js'
import {generateId, LIVE_VERSION_ID} from '../../shopware/ids.js'
import {readFirstRow, runStatement} from '../../storage/engine/statement.js'
import {deriveStateId, deriveStateMachineId} from '../runtime/base-data.js'
import {prepareInsert} from './entities/insert-entities.js'
import {formatStoredDate} from './schema/columns.js'
import type {ShopConnection} from './schema/schema.js'
import {selectMember} from './schema/sql.js'

/** A state change that is allowed. */
interface StateChange {
  readonly entity: 'order' | 'order_delivery' | 'order_transaction'
  readonly id: string
  /** Technical name of the machine: `order_transaction.state`. */
  readonly machine: string
  readonly action: string
  /** Technical names. */
  readonly from: string
  readonly to: string
  /** Who requested it; absent for notifications. */
  readonly userId?: string
  readonly integrationId?: string
}

/** Changes a state and adds to its history, as part of the caller's write. */
export async function changeState(db: ShopConnection, change: StateChange, at: Date): Promise<void> {
  const fromStateId = deriveStateId(change.machine, change.from)
  const toStateId = deriveStateId(change.machine, change.to)
  const storedAt = formatStoredDate(at)
  await runStatement(db, MOVES[change.entity], {id: change.id, toStateId, at: storedAt})
  const stepAt = await findTimeAfterLastStep(db, change.id, storedAt)
  await insertHistory(db, {
    id: generateId(stepAt === storedAt ? at : parseStoredDate(stepAt)),
    referencedId: change.id,
    referencedVersionId: LIVE_VERSION_ID,
    stateMachineId: deriveStateMachineId(change.machine),
    entityName: change.entity,
    fromStateId,
    toStateId,
    transitionActionName: change.action,
    userId: change.userId,
    integrationId: change.integrationId,
    createdAt: stepAt,
  })
}

interface Move {
  id: string
  toStateId: string
  /** As stored. */
  at: string
}

const move =
  (entity: StateChange['entity']) =>
  (db: ShopConnection, {id, toStateId, at}: Move) =>
    db.updateTable(entity).set({state_id: toStateId, updated_at: at}).where('id', '=', id).compile()

const MOVES = {
  order: move('order'),
  order_delivery: move('order_delivery'),
  order_transaction: move('order_transaction'),
}

const insertHistory = prepareInsert(stateMachineHistory)

/**
 * Steps of one entity are often in the same millisecond, and need different times, because only these give their order.
 *
 * @param at as stored
 * @returns as stored
 */
async function findTimeAfterLastStep(db: ShopConnection, referencedId: string, at: string): Promise<string> {
  const {last} = (await readFirstRow(db, selectLastStep, {referencedId})) ?? {}
  if (!last || last < at) return at
  return formatStoredDate(new Date(parseStoredDate(last).getTime() + 1))
}

function parseStoredDate(stored: string): Date {
  return new Date(`${stored.replace(' ', 'T')}Z`)
}

const selectLastStep = (db: ShopConnection, {referencedId}: {referencedId: string}) =>
  db
    .selectFrom('state_machine_history')
    .select(({fn}) => fn.max<string | null>('created_at').as('last'))
    .where('referenced_id', '=', referencedId)
    .compile()

/** The technical name of a row's state; `undefined` when it does not exist. */
export async function findState(
  db: ShopConnection,
  entity: StateChange['entity'],
  id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(entity)
    .innerJoin('state_machine_state', 'state_machine_state.id', `${entity}.state_id`)
    .select('state_machine_state.technical_name as name')
    .where(`${entity}.id`, '=', id)
    .executeTakeFirst()
  return row && String(row.name)
}

/** An order transaction, for handling the payment provider's notifications. */
export interface TransactionState {
  readonly id: string
  readonly orderId: string
  /** Technical name. */
  readonly state: string
  /** What the customer pays, in the order's currency. */
  readonly amountTotal: number
  /** Whether the customer pays by invoice through the provider. */
  readonly payUponInvoice: boolean
  /** The order's id at the provider. */
  readonly providerOrderId: string | undefined
  /** The id of its authorization or capture at the provider. */
  readonly providerResourceId: string | undefined
  /** `undefined` where it has none. */
  readonly customFields: Readonly<Record<string, unknown>> | undefined
}

interface TransactionRow {
  id: string
  order_id: string
  state: string
  amount: string
  payment_method: string | null
  custom_fields: string | null
}

/** Custom field of a transaction with the id of its authorization or capture. */
export const PROVIDER_RESOURCE_FIELD = 'swag_paypal_resource_id'

/** Technical name of the payment method for the provider's invoices. */
const PAY_UPON_INVOICE = 'swag_paypal_pui'

/** @param id 32 lower-case hex digits */
export async function findTransaction(db: ShopConnection, id: string): Promise<TransactionState | undefined> {
  const row = await readFirstRow(db, selectById, {id})
  return row && new StoredTransaction(row)
}

const selectById = (db: ShopConnection, {id}: {id: string}) =>
  selectTransaction(sql<boolean>`t.id = ${id}`).compile(db)

/** Finds a transaction by its v1 payment, `PAY-…`. */
export function findTransactionByPayment(
  db: ShopConnection,
  payment: string,
): Promise<TransactionState | undefined> {
  return find(db, hasCustomField(PROVIDER_PAYMENT_FIELD, payment))
}

async function find(db: ShopConnection, which: RawBuilder<boolean>): Promise<TransactionState | undefined> {
  const {rows} = await selectTransaction(which).execute(db)
  return rows[0] && new StoredTransaction(rows[0])
}

function selectTransaction(which: RawBuilder<boolean>): RawBuilder<TransactionRow> {
  return sql<TransactionRow>`
    select t.id, t.order_id, t.amount, t.custom_fields,
      s.technical_name as state, p.technical_name as payment_method
    from order_transaction t
    join state_machine_state s on s.id = t.state_id
    left join payment_method p on p.id = t.payment_method_id
    where ${which} order by t.id desc limit 1`
}

/** Uses an index, and ignores case, as the shop does for custom fields. */
function hasCustomField(name: string, value: string): RawBuilder<boolean> {
  const field = selectMember(sql.ref('t.custom_fields_folded'), [name])
  return sql<boolean>`${field} = ${fold(value)}`
}

/** A transaction whose row is parsed on demand: most notifications need only the state. */
class StoredTransaction implements TransactionState {
  readonly id: string
  readonly orderId: string
  readonly state: string
  readonly payUponInvoice: boolean
  #customFields: Readonly<Record<string, unknown>> | null | undefined

  constructor(private readonly row: TransactionRow) {
    this.id = row.id
    this.orderId = row.order_id
    this.state = row.state
    this.payUponInvoice = row.payment_method === PAY_UPON_INVOICE
  }

  get amountTotal(): number {
    return parseJson<{totalPrice?: number}>(this.row.amount)?.totalPrice ?? 0
  }

  get providerOrderId(): string | undefined {
    return this.#readText(PROVIDER_ORDER_FIELD)
  }

  get providerResourceId(): string | undefined {
    return this.#readText(PROVIDER_RESOURCE_FIELD)
  }

  get customFields(): Readonly<Record<string, unknown>> | undefined {
    if (this.#customFields === undefined) this.#customFields = parseJson(this.row.custom_fields) ?? null
    return this.#customFields ?? undefined
  }

  #readText(name: string): string | undefined {
    const value = this.customFields?.[name]
    return typeof value === 'string' ? value : undefined
  }
}

function parseJson<T>(json: string | null): T | undefined {
  return json === null ? undefined : (JSON.parse(json) as T)
}
