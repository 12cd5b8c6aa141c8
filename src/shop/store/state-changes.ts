import type {Kysely} from 'kysely'
import {readFirstRow, runStatement} from '../../storage/engine/statement.js'
import {deriveStateId, deriveStateMachineId} from '../model/base-data.js'
import {stateMachineHistory} from '../model/entities/states.js'
import {generateId, LIVE_VERSION_ID} from '../model/ids.js'
import {prepareInsert} from './entities/insert-entities.js'
import {formatStoredDate} from './schema/columns.js'
import type {ShopTables} from './schema/schema.js'

type Db = Kysely<ShopTables>

/** A move of a state that was found to be legal. */
export interface StateChange {
  readonly entity: 'order' | 'order_delivery' | 'order_transaction'
  readonly id: string
  /** Technical name of the machine: `order_transaction.state`. */
  readonly machine: string
  readonly action: string
  /** Technical names. */
  readonly from: string
  readonly to: string
  /** Who asked for it; a notification asks in nobody's name. */
  readonly userId?: string
  readonly integrationId?: string
}

/**
 * The name of whoever is alone with the state of a thing: who looks at it and then moves it takes this name for the write.
 */
export function nameStateLock({entity, id}: Pick<StateChange, 'entity' | 'id'>): string {
  return `state of ${entity} ${id}`
}

/** Moves a state and writes down that it was moved, as part of the caller's write. */
export async function changeState(db: Db, change: StateChange, at: Date): Promise<void> {
  const fromStateId = deriveStateId(change.machine, change.from)
  const toStateId = deriveStateId(change.machine, change.to)
  await runStatement(db, MOVES[change.entity], {id: change.id, toStateId, at: formatStoredDate(at)})
  const stepAt = await findTimeAfterLastStep(db, change.id, at)
  await insertHistory(db, {
    id: generateId(stepAt),
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
  (db: Db, {id, toStateId, at}: Move) =>
    db.updateTable(entity).set({state_id: toStateId, updated_at: at}).where('id', '=', id).compile()

const MOVES = {
  order: move('order'),
  order_delivery: move('order_delivery'),
  order_transaction: move('order_transaction'),
}

const insertHistory = prepareInsert(stateMachineHistory)

/**
 * Steps of one thing often come in the same millisecond, and must be told apart by their time: it alone says in
 * which order they were.
 */
async function findTimeAfterLastStep(db: Db, referencedId: string, at: Date): Promise<Date> {
  const {last} = (await readFirstRow(db, selectLastStep, {referencedId})) ?? {}
  if (!last || last < formatStoredDate(at)) return at
  return new Date(Date.parse(`${last.replace(' ', 'T')}Z`) + 1)
}

const selectLastStep = (db: Db, {referencedId}: {referencedId: string}) =>
  db
    .selectFrom('state_machine_history')
    .select(({fn}) => fn.max<string | null>('created_at').as('last'))
    .where('referenced_id', '=', referencedId)
    .compile()

/** The technical name of the state that something is in; `undefined` when there is no such thing. */
export async function findState(
  db: Db,
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
