import * as Flags from '@oclif/core/flags'
import {buildDatabases} from '../../app/databases.js'
import {BaseCommand} from '../../cli/base-command.js'
import {MIGRATIONS_VIEW} from '../../database/database-view.js'

export default class DatabaseMigrate extends BaseCommand {
  static override summary = 'Bring the schema of the records up to date'
  static override description =
    `Every command that opens a database does so by itself; this is for who wants it done at a time of their own, after a
backup for instance. Steps go forward only. Two that migrate at once take turns, and the second finds the work done. An
older storectl that a step would mislead no longer opens the database then; others go on beside the new one.`
  static override examples = [
    '<%= config.bin %> database migrate --dry-run',
    '<%= config.bin %> database backup before.db && <%= config.bin %> database migrate',
  ]
  static override changes = true
  static override flags = {'dry-run': Flags.boolean({description: 'list the steps, and make none'})}

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
  }
}
