import {sql} from 'kysely'
import type {Migration, UntypedDatabase} from '../../migrations.js'

/** Several workers share a run: its plan is cut into blocks of whole lanes, which are what each of them claims. */
export const workers: Migration = {
  version: 9,
  name: 'workers',
  up: async db => {
    await lanesOfPlans(db)
    await blocks(db)
    await workerTable(db)
  },
}

/** Plans of older programs have none of this, and cannot be shared. */
async function lanesOfPlans(db: UntypedDatabase): Promise<void> {
  await db.schema.alterTable('run_plan').addColumn('lane', 'text').execute()
  await db.schema.alterTable('run_plan').addColumn('block', 'bigint').execute()
  await db.schema.alterTable('run_plan').addColumn('unsure', 'integer').execute()
  await db.schema.alterTable('run_plan').addColumn('remark', 'text').execute()
  await db.schema
    .createIndex('run_plan_block')
    .on('run_plan')
    .columns(['run_id', 'block', 'position'])
    .where(sql<boolean>`block is not null`)
    .execute()
}

async function blocks(db: UntypedDatabase): Promise<void> {
  await db.schema
    .createTable('run_block')
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('block', 'bigint', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('worker', 'text')
    .addColumn('claims', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('run_block_key', ['run_id', 'block'])
    .execute()
  await db.schema
    .createIndex('run_block_left')
    .on('run_block')
    .columns(['run_id', 'block'])
    .where(sql<boolean>`state <> 'done'`)
    .execute()
}

async function workerTable(db: UntypedDatabase): Promise<void> {
  await db.schema
    .createTable('run_worker')
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('worker', 'text', column => column.notNull())
    .addColumn('who', 'text', column => column.notNull())
    .addColumn('host', 'text', column => column.notNull())
    .addColumn('pid', 'integer', column => column.notNull())
    .addColumn('process_start', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('started_at_ms', 'bigint', column => column.notNull())
    .addColumn('heartbeat_at_ms', 'bigint', column => column.notNull())
    .addColumn('counts', 'text', column => column.notNull())
    .addColumn('done', 'bigint', column => column.notNull())
    .addColumn('failed', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('run_worker_key', ['run_id', 'worker'])
    .execute()
}
