import * as Flags from '@oclif/core/flags'
import {buildDatabases} from '../../app/databases.js'
import {BaseCommand} from '../../cli/base-command.js'
import {DATABASES_VIEW, formatDatabaseRow} from '../../database/database-view.js'

export default class DatabaseStatus extends BaseCommand {
  static override summary = 'See where records lie, how much there is, and whether it is sound'
  static override description =
    `Two databases: the records (inbox, runs, ledger), and what the bundled shop keeps. Both are files, or lie in the
PostgreSQL that STORECTL_DATABASE_URL or --database names. Nothing is changed or made. "pending" says that the next command
that opens one brings its schema up to date. --check reads all of both files. Exit 1 when one is damaged or cannot be read,
or has an index that cannot be used.`
  static override examples = [
    '<%= config.bin %> database status',
    '<%= config.bin %> database status --check -o json',
    '<%= config.bin %> database status --database postgres://ada@db.example.com/storectl',
  ]
  static override flags = {check: Flags.boolean({description: 'read all of it'})}

  async run(): Promise<void> {
    const {flags} = await this.parse(DatabaseStatus)
    const databases = await buildDatabases(this.host, this.adapters)
    const states = await databases.state()
    const rows = await Promise.all(
      states.map(async state =>
        formatDatabaseRow(state, flags.check && state.exists ? await databases.check(state) : undefined),
      ),
    )
    await this.print(rows, DATABASES_VIEW)
    const isBad = rows.some(
      ({check, problem, brokenIndices}) =>
        problem !== null || brokenIndices.length > 0 || (check !== null && check !== 'ok'),
    )
    if (isBad) this.endWith('internal')
  }
}
