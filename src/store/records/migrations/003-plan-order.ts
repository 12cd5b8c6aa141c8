import {sql} from 'kysely'
import type {Migration} from '../../migrations.js'

/** Plans keep their order, so that a run of any length can be carried on with in it. */
export const planOrder: Migration = {
  version: 3,
  name: 'plan order',
  breaksOlder: true,
  up: async db => {
    await db.schema.alterTable('run_plan').renameTo('run_plan_unordered').execute()
    await db.schema
      .createTable('run_plan')
      .addColumn('run_id', 'text', column => column.notNull())
      .addColumn('position', 'bigint', column => column.notNull())
      .addColumn('item', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('run_plan_place', ['run_id', 'position'])
      .execute()
    await sql`
      insert into run_plan (run_id, position, item)
      select run_id, row_number() over (partition by run_id order by item) - 1, item
      from run_plan_unordered`.execute(db)
    await db.schema.dropTable('run_plan_unordered').execute()
  },
}
