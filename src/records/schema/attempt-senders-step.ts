import type {Migration} from '../../storage/engine/database.js'

/** Adds senders of attempts, where weaker than the event's. */
export const attemptSendersStep: Migration = {
  version: 4,
  name: 'senders of attempts',
  up: async db => {
    await db.schema.alterTable('webhook_attempt').addColumn('sender', 'text').execute()
  },
}
