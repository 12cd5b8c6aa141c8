import type {Migration, UntypedDatabase} from '../../storage/engine/database.js'
import {addIncidents} from './incidents-part.js'
import {removeListMembers} from './list-members-part.js'
import {addRunLedger} from './run-ledger-part.js'
import {addSenders} from './senders-part.js'
import {addWatches} from './watches-part.js'

/** All changes since the initial schema up to version 0.1.0, in one step: no part of it was released alone. */
export const releaseStep: Migration = {
  version: 2,
  name: 'senders, ledger of runs, watches and incidents',
  breaksOlder: true,
  up: async db => {
    await addSenders(db)
    await removeListMembers(db)
    await addRunLedger(db)
    await addColumns(db)
    await addWatches(db)
    await addIncidents(db)
  },
}

/** The order number and cause from looking up an event, the sender of an attempt, and the run that resolved an event. */
async function addColumns(db: UntypedDatabase): Promise<void> {
  for (const column of ['order_number', 'cause'])
    await db.schema.alterTable('webhook_event').addColumn(column, 'text').execute()
  await db.schema.alterTable('webhook_event').addColumn('cause_for_ms', 'bigint').execute()
  await db.schema.alterTable('webhook_attempt').addColumn('sender', 'text').execute()
  await db.schema.alterTable('webhook_resolution').addColumn('run_id', 'text').execute()
}
