import * as Flags from '@oclif/core/flags'
import {buildStatusDeps} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'
import {readServerStatus, requireAnswer, SERVER_VIEW} from '../../shop/status.js'

export default class ServerStatus extends BaseCommand {
  static override summary = 'Show whether the bundled server runs'
  static override description =
    `Where it listens and since when, where its data lies, how large that is, and how much of everything is in it. Of a
shop that does not run, data folder, size and counts are shown as well. Nothing is started or changed.

Exit 0 when it runs and answers; 6, with the same result, when it does not.`
  static override examples = [
    '<%= config.bin %> server status',
    '<%= config.bin %> server status --data ./shop -o json',
    '<%= config.bin %> server status --fields counts.customers,counts.orders,sizeBytes',
  ]
  static override flags = {
    data: Flags.string({description: 'folder of its data', helpValue: 'DIR'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerStatus)
    const status = await readServerStatus(await buildStatusDeps(this.host, this.adapters, flags.data))
    await this.presenter.printOne({...status}, SERVER_VIEW)
    requireAnswer(status)
  }
}
