import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildDatabases} from '../../app/databases.js'
import {BaseCommand} from '../../cli/base-command.js'
import {BACKUP_VIEW, describeContents} from '../../database/database-view.js'
import {showBytes} from '../../platform/terminal/progress.js'

export default class DatabaseBackup extends BaseCommand {
  static override summary = 'Back up the database to a file'
  static override description =
    `Takes a consistent snapshot of inbox, runs and ledger while other processes write. The file has mode 0600, is
verified before it gets its name, and is never partial. Ctrl-C leaves nothing behind.

To restore: stop all storectl processes and copy the file to the location in "database status". Delete the files
ending in -wal and -shm. Then see "database restored": what was sent since the backup is not in it.`
  static override examples = [
    '<%= config.bin %> database backup records-backup.db',
    '<%= config.bin %> database backup /backup/records.db --force',
  ]
  static override changes = true
  static override args = {file: Args.string({description: 'Backup file', required: true})}
  static override flags = {
    force: Flags.boolean({description: 'Overwrite an existing file', helpGroup: 'SAFETY'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(DatabaseBackup)
    const databases = await buildDatabases(this.host, this.adapters)
    const {onProgress, stop} = showBytes(this.progressOutput)
    const backup = await databases.backUp(args.file, flags.force, {onProgress}).finally(stop)
    await this.printOne({...describeContents(backup, this.presenter)}, BACKUP_VIEW)
  }
}
