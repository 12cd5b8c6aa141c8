import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../base-command.js'
import {DATABASES, databaseRow} from '../../database/render.js'

export default class DatabaseStatus extends BaseCommand {
  static override summary = 'See where records lie, how much there is, and whether it is sound'
  static override description =
    `Two files: the records (inbox, runs, ledger), and what the bundled shop keeps. Nothing is changed or made. "pending"
says that the next command that opens a file brings its schema up to date. --check reads all of both files. Exit 1 when one
is damaged or cannot be read.`
  static override examples = [
    '<%= config.bin %> database status',
    '<%= config.bin %> database status --check -o json',
  ]
  static override flags = {check: Flags.boolean({description: 'read all of each file'})}

  async run(): Promise<void> {
    const {flags} = await this.parse(DatabaseStatus)
    const databases = await this.context.databases()
    const states = await databases.state()
    const rows = await Promise.all(
      states.map(async state =>
        databaseRow(state, flags.check && state.exists ? await databases.check(state) : undefined),
      ),
    )
    await this.print(rows, DATABASES)
    const isBad = rows.some(({check, problem}) => problem !== null || (check !== null && check !== 'ok'))
    if (isBad) this.endWith('internal')
  }
}
