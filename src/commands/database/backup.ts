import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildDatabases} from '../../app/databases.js'
import {BaseCommand} from '../../cli/base-command.js'
import {BACKUP_VIEW} from '../../database/database-view.js'

export default class DatabaseBackup extends BaseCommand {
  static override summary = 'Copy the records into a file, while others go on writing'
  static override description =
    `The copy holds inbox, runs and ledger as they stand at one moment, without what was deleted. It is for your eyes alone
(mode 0600), is read back before it gets its name, and is whole or not there, also when the disk is full. To go back to it,
end every storectl, and put it in the place that "database status" shows, without the files that end in -wal and -shm.`
  static override examples = [
    '<%= config.bin %> database backup records-backup.db',
    '<%= config.bin %> database backup /backup/records.db --force',
  ]
  static override changes = true
  static override args = {file: Args.string({description: 'where the copy goes', required: true})}
  static override flags = {force: Flags.boolean({description: 'replace a file that is there'})}

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DatabaseBackup)
    const databases = await buildDatabases(this.host, this.adapters)
    await this.printOne({...(await databases.backUp(args.file, flags.force))}, BACKUP_VIEW)
  }
}
