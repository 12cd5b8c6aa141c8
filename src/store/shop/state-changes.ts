import {type Kysely, sql} from 'kysely'
import {LIVE_VERSION_ID, newId} from '../../shop-model/ids.js'
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
  const {entity, id, machine, action} = change
  const moment = at.toISOString().replace('T', ' ').replace('Z', '')
  const state = (name: string) => sql`(
    select s.id from state_machine_state s join state_machine m on m.id = s.state_machine_id
    where m.technical_name = ${machine} and s.technical_name = ${name})`
  await sql`
    update ${sql.table(entity)} set state_id = ${state(change.to)}, updated_at = ${moment}
    where id = ${id}`.execute(db)
  await sql`
    insert into state_machine_history (id, referenced_id, referenced_version_id, state_machine_id, entity_name,
      entity_name_folded, from_state_id, to_state_id, transition_action_name, transition_action_name_folded,
      user_id, integration_id, created_at)
    values (${newId(at)}, ${id}, ${LIVE_VERSION_ID},
      (select m.id from state_machine m where m.technical_name = ${machine}), ${entity}, ${entity},
      ${state(change.from)}, ${state(change.to)}, ${action}, ${action},
      ${change.userId ?? null}, ${change.integrationId ?? null}, ${moment})`.execute(db)
}
