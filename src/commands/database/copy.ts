import * as Flags from '@oclif/core/flags'
import {buildDatabases} from '../../app/databases.js'
import {BaseCommand} from '../../cli/base-command.js'
import {COPIED_TABLES_VIEW} from '../../database/database-view.js'
import {createUsageError} from '../../errors.js'

const ENGINES = ['sqlite', 'postgres'] as const

export default class DatabaseCopy extends BaseCommand {
  static override summary = 'Copy records and bundled shop from files into PostgreSQL, or back'
  static override description =
    `"sqlite" means the files of this home, "postgres" the database that STORECTL_DATABASE_URL or --database names. The copy
is of one moment, and goes into tables that hold nothing yet; each database is copied in one commit. Every table is read
back before that: rows and a hash over all of their values must be the same on both sides. The bundled shop's
credentials go with it, from folder to folder; profiles and tokens stay where they are. End captures and runs first: what they write later is not in the copy.`
  static override examples = [
    'export STORECTL_DATABASE_URL=postgres://ada@db.example.com/storectl\n<%= config.bin %> database copy --from sqlite --to postgres',
    'STORECTL_HOME=./laptop <%= config.bin %> database copy --from postgres --to sqlite',
  ]
  static override changes = true
  static override flags = {
    from: Flags.option({options: ENGINES, description: 'where the rows are', required: true})(),
    to: Flags.option({options: ENGINES, description: 'where they go', required: true})(),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(DatabaseCopy)
    const {from, to} = flags
    if (from === to) throw createUsageError('same_engine', `--from and --to are both ${from}.`)
    const databases = await buildDatabases(this.host, this.adapters)
    const copied = await databases.copy(from, to, async ({table, rows}) => {
      if (rows > 0) await this.note(`${table}: ${rows}`)
    })
    await this.print(
      copied.map(table => ({...table})),
      COPIED_TABLES_VIEW,
    )
  }
}
