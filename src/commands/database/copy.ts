import * as Flags from '@oclif/core/flags'
import {buildDatabases} from '../../app/databases.js'
import {BaseCommand} from '../../cli/base-command.js'
import type {CopiedTable} from '../../database/database.js'
import {COPIED_TABLES_VIEW} from '../../database/database-view.js'
import {createUsageError} from '../../errors.js'
import {showCount} from '../../platform/terminal/progress.js'

const ENGINES = ['sqlite', 'postgres'] as const

export default class DatabaseCopy extends BaseCommand {
  static override summary = 'Copy the records between a SQLite file and PostgreSQL'
  static override description =
    `"sqlite" means the file of this home. "postgres" means the database in STORECTL_DATABASE_URL or --database. The
target tables must be empty. All is copied in one transaction and compared row by row (count and hash) before the
commit.

Copies inbox, runs and ledger, but not profiles, tokens and the bundled shop. Stop captures and runs first: the
copy does not contain later writes.`
  static override examples = [
    'export STORECTL_DATABASE_URL=postgres://ada@db.example.com/storectl\n<%= config.bin %> database copy --from sqlite --to postgres',
    'STORECTL_HOME=./laptop <%= config.bin %> database copy --from postgres --to sqlite',
  ]
  static override changes = true
  static override flags = {
    from: Flags.option({options: ENGINES, description: 'Source', required: true})(),
    to: Flags.option({options: ENGINES, description: 'Target; its tables must be empty', required: true})(),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(DatabaseCopy)
    const {from, to} = flags
    if (from === to) throw createUsageError('same_engine', `--from and --to are both ${from}.`)
    const databases = await buildDatabases(this.host, this.adapters)
    const {onProgress, stop} = showCount('rows', this.progressOutput)
    const listener = {onProgress, onTableCopied: (table: CopiedTable) => this.#noteTable(table)}
    const copied = await databases.copy(from, to, listener).finally(stop)
    const rows = copied.map(table => ({...table}))
    await this.print(rows, COPIED_TABLES_VIEW)
  }

  async #noteTable({table, rows}: CopiedTable): Promise<void> {
    if (rows > 0) await this.note(`${table}: ${rows}`)
  }
}
