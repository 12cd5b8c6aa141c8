import * as Flags from '@oclif/core/flags'
import {buildStatusDeps} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'
import {readServerStatus, requireAnswer, SERVER_VIEW} from '../../server/status.js'

export default class ServerStatus extends BaseCommand {
  static override summary = 'Show whether the bundled server is running'
  static override description =
    `Shows address, start time, data folder, size and row counts. Without a running server, it shows data folder,
size and counts. Starts nothing and changes nothing.

Exits 0 if the server responds, otherwise 6.`
  static override examples = [
    '<%= config.bin %> server status',
    '<%= config.bin %> server status --data ./shop -o json',
    '<%= config.bin %> server status --fields counts.customers,counts.orders,sizeBytes',
  ]
  static override flags = {
    data: Flags.string({description: 'Data folder of the bundled shop', helpValue: 'DIR'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerStatus)
    const status = await readServerStatus(await buildStatusDeps(this.host, this.adapters, flags.data))
    await this.presenter.printOne({...status}, SERVER_VIEW)
    requireAnswer(status)
  }
}
