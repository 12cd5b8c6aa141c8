import type {Migration} from '../../migrations.js'

/** Whose turn it is to hand on events of a payment, where several captures share an inbox. */
export const turns: Migration = {
  version: 10,
  name: 'turns',
  up: async db => {
    await db.schema
      .createTable('webhook_turn')
      .addColumn('target', 'text', column => column.notNull())
      .addColumn('lane', 'text', column => column.notNull())
      .addColumn('holder', 'text', column => column.notNull())
      .addColumn('until_ms', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('webhook_turn_key', ['target', 'lane'])
      .execute()
    await db.schema
      .createIndex('webhook_turn_holder')
      .on('webhook_turn')
      .columns(['target', 'holder'])
      .execute()
  },
}
