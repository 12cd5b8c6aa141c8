import * as Flags from '@oclif/core/flags'
import {buildDatabases} from '../../app/databases.js'
import {BaseCommand} from '../../cli/base-command.js'
import {MIGRATIONS_VIEW} from '../../database/database-view.js'

export default class DatabaseMigrate extends BaseCommand {
  static override summary = 'Migrate the database schema'
  static override description =
    `Commands migrate a database when they open it. Run this to migrate at a chosen time, for example after a backup.
There is no down migration. Concurrent migrations are safe. Older versions of storectl refuse a schema that they
cannot read.`
  static override examples = [
    '<%= config.bin %> database migrate --dry-run',
    '<%= config.bin %> database backup before.db && <%= config.bin %> database migrate',
  ]
  static override changes = true
  static override flags = {
    'dry-run': Flags.boolean({description: 'List pending migrations, and run none', helpGroup: 'SAFETY'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(DatabaseMigrate)
    const databases = await buildDatabases(this.host, this.adapters)
    const rows = []
    for (const state of await databases.state()) {
      const {steps, tookMs} = flags['dry-run']
        ? {steps: state.pending, tookMs: null}
        : await databases.migrate(state)
      rows.push({name: state.name, steps, tookMs, location: state.location})
    }
    await this.print(rows, MIGRATIONS_VIEW)
    if (rows.every(({steps}) => steps.length === 0)) await this.note('No pending migrations.')
  }
}
