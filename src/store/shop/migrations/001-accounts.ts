import type {Migration} from '../../migrations.js'

/** Who may sign in, with what, and what the shop keeps about itself. */
export const accounts: Migration = {
  version: 1,
  name: 'accounts',
  up: async db => {
    await db.schema
      .createTable('user_account')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('username', 'text', column => column.notNull())
      .addColumn('username_folded', 'text', column => column.notNull().unique())
      .addColumn('password_hash', 'text', column => column.notNull())
      .addColumn('admin', 'integer', column => column.notNull())
      .addColumn('privileges', 'text', column => column.notNull())
      .addColumn('password_changed_at_ms', 'integer', column => column.notNull())
      .execute()
    await db.schema
      .createTable('integration_account')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('access_key', 'text', column => column.notNull().unique())
      .addColumn('secret_hash', 'text', column => column.notNull())
      .addColumn('label', 'text', column => column.notNull())
      .addColumn('admin', 'integer', column => column.notNull())
      .addColumn('privileges', 'text', column => column.notNull())
      .execute()
    await db.schema
      .createTable('refresh_token')
      .addColumn('token_hash', 'text', column => column.primaryKey())
      .addColumn('user_id', 'text', column => column.notNull())
      .addColumn('client_id', 'text', column => column.notNull())
      .addColumn('scopes', 'text', column => column.notNull())
      .addColumn('expires_at_ms', 'integer', column => column.notNull())
      .addColumn('revoked', 'integer', column => column.notNull())
      .execute()
    await db.schema.createIndex('refresh_token_user').on('refresh_token').column('user_id').execute()
    await db.schema
      .createTable('system_config')
      .addColumn('configuration_key', 'text', column => column.notNull())
      .addColumn('sales_channel_id', 'text', column => column.notNull())
      .addColumn('configuration_value', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('system_config_key', ['configuration_key', 'sales_channel_id'])
      .execute()
  },
}
