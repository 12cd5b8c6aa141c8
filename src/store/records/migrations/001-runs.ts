import {sql} from 'kysely'
import type {Migration, UntypedDatabase} from '../../migrations.js'

/** Runs, their leases and journals, and the ledger of what was delivered where. */
export const runs: Migration = {
  version: 1,
  name: 'runs',
  up: async db => {
    await runTables(db)
    await journal(db)
    await ledger(db)
  },
}

async function runTables(db: UntypedDatabase): Promise<void> {
  await db.schema
    .createTable('run')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('profile', 'text', column => column.notNull())
    .addColumn('who', 'text', column => column.notNull())
    .addColumn('host', 'text', column => column.notNull())
    .addColumn('pid', 'integer', column => column.notNull())
    .addColumn('process_start', 'text', column => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('started_at_ms', 'bigint', column => column.notNull())
    .addColumn('ended_at_ms', 'bigint')
    .addColumn('heartbeat_at_ms', 'bigint', column => column.notNull())
    .addColumn('options', 'text', column => column.notNull())
    .addColumn('total', 'integer')
    .addColumn('counts', 'text', column => column.notNull())
    .addColumn('stopped_by', 'text')
    .addColumn('continues', 'text')
    .execute()
  await db.schema
    .createTable('run_plan')
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('item', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('run_plan_key', ['run_id', 'item'])
    .execute()
  await db.schema
    .createTable('run_lease')
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('run_lease_key', ['kind', 'target'])
    .execute()
}

/** Keyed by run, worker and the worker's own count, so that no two writers ever meet in a sequence. */
async function journal(db: UntypedDatabase): Promise<void> {
  await db.schema
    .createTable('run_record')
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('worker', 'text', column => column.notNull())
    .addColumn('sequence', 'bigint', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('item', 'text', column => column.notNull())
    .addColumn('lane', 'text', column => column.notNull())
    .addColumn('content_hash', 'text', column => column.notNull())
    .addColumn('attempt', 'integer', column => column.notNull())
    .addColumn('at_ms', 'bigint', column => column.notNull())
    .addColumn('grade', 'text')
    .addColumn('outcome', 'text')
    .addColumn('status', 'integer')
    .addColumn('detail', 'text')
    .addColumn('facts', 'text')
    .addColumn('hash', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('run_record_key', ['run_id', 'worker', 'sequence'])
    .execute()
  await db.schema
    .createIndex('run_record_answered')
    .on('run_record')
    .columns(['item', 'run_id'])
    .where(sql<boolean>`kind <> 'intent'`)
    .execute()
}

async function ledger(db: UntypedDatabase): Promise<void> {
  await db.schema
    .createTable('ledger')
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('key', 'text', column => column.notNull())
    .addColumn('content_hash', 'text', column => column.notNull())
    .addColumn('grade', 'text', column => column.notNull())
    .addColumn('outcome', 'text', column => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('detail', 'text')
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('at_ms', 'bigint', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('ledger_key', ['kind', 'target', 'key'])
    .execute()
}
