import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../base-command.js'
import {MIGRATED} from '../../database/render.js'

export default class DatabaseMigrate extends BaseCommand {
  static override summary = 'Bring the schema of the records up to date'
  static override description =
    `Every command that opens a file does so by itself; this is for who wants it done at a time of their own, after a backup
for instance. An older storectl may no longer open the file then.`
  static override examples = [
    '<%= config.bin %> database migrate --dry-run',
    '<%= config.bin %> database backup before.db && <%= config.bin %> database migrate',
  ]
  static override changes = true
  static override flags = {'dry-run': Flags.boolean({description: 'list the steps, and make none'})}

  async run(): Promise<void> {
    const {flags} = await this.parse(DatabaseMigrate)
    const databases = await this.context.databases()
    const rows = []
    for (const state of await databases.state()) {
      const steps = flags['dry-run'] ? state.pending : await databases.migrate(state)
      rows.push({name: state.name, steps, file: state.file})
    }
    await this.print(rows, MIGRATED)
  }
}
