import * as Flags from '@oclif/core/flags'
import {buildDatabases} from '../../app/databases.js'
import {BaseCommand} from '../../cli/base-command.js'
import {DATABASES_VIEW, describeContents, formatDatabaseRow} from '../../database/database-view.js'

export default class DatabaseStatus extends BaseCommand {
  static override summary = 'Show database location, size and health'
  static override description =
    `Shows two databases: records (inbox, runs, ledger) and the bundled shop. Both are files; the records are in
PostgreSQL if STORECTL_DATABASE_URL or --database is set. Changes nothing. Pending migrations run when the next
command opens the database.

Exits 1 if a database is damaged or unreadable, or has an unusable index.`
  static override examples = [
    '<%= config.bin %> database status',
    '<%= config.bin %> database status --check -o json',
    '<%= config.bin %> database status --database postgres://ada@db.example.com/storectl',
  ]
  static override flags = {
    check: Flags.boolean({description: 'Verify the integrity of each database (reads all of it)'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(DatabaseStatus)
    const databases = await buildDatabases(this.host, this.adapters)
    const states = await databases.state()
    const rows = await Promise.all(
      states.map(async state =>
        formatDatabaseRow(state, flags.check && state.exists ? await databases.check(state) : undefined),
      ),
    )
    const shown = rows.map(row => describeContents(row, this.presenter))
    await this.presenter.printBlocks(shown, DATABASES_VIEW)
    const isBad = rows.some(
      ({check, problem, brokenIndices}) =>
        problem !== null || brokenIndices.length > 0 || (check !== null && check !== 'ok'),
    )
    if (isBad) this.endWith('internal')
  }
}
