import type {Kysely} from 'kysely'
import {stateMachineHistory} from '../../shop-model/entities/states.js'
import {LIVE_VERSION_ID, newId} from '../../shop-model/ids.js'
import {rowOf, storedDate} from './entities/columns.js'
import type {ShopTables} from './tables.js'

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

/** Moves a state and writes down that it was moved, as part of the caller's write. */
export async function changeState(db: Db, change: StateChange, at: Date): Promise<void> {
  const machine = await machineOf(db, change.machine)
  const [fromStateId, toStateId] = [machine.stateId(change.from), machine.stateId(change.to)]
  await db
    .updateTable(change.entity)
    .set({state_id: toStateId, updated_at: storedDate(at)})
    .where('id', '=', change.id)
    .execute()
  const history = rowOf(stateMachineHistory, {
    id: newId(at),
    referencedId: change.id,
    referencedVersionId: LIVE_VERSION_ID,
    stateMachineId: machine.id,
    entityName: change.entity,
    fromStateId,
    toStateId,
    transitionActionName: change.action,
    userId: change.userId,
    integrationId: change.integrationId,
    createdAt: at,
  })
  await db.insertInto('state_machine_history').values(history).execute()
}

interface Machine {
  readonly id: string
  stateId(name: string): string
}

/** @throws Error when the shop lacks the machine or one of its states: they come with the shop */
async function machineOf(db: Db, name: string): Promise<Machine> {
  const rows = await db
    .selectFrom('state_machine')
    .innerJoin('state_machine_state', 'state_machine_state.state_machine_id', 'state_machine.id')
    .select([
      'state_machine.id as machine',
      'state_machine_state.id',
      'state_machine_state.technical_name as name',
    ])
    .where('state_machine.technical_name', '=', name)
    .execute()
  const ids = new Map(rows.map(row => [String(row.name), String(row.id)]))
  const missing = (state: string) => new Error(`the shop has no state ${state} of ${name}`)
  return {
    id: String(rows[0]?.machine),
    stateId: state => {
      const id = ids.get(state)
      if (id === undefined) throw missing(state)
      return id
    },
  }
}
