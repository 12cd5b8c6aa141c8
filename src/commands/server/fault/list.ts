import * as Flags from '@oclif/core/flags'
import {buildFaultClient} from '../../../app/server.js'
import {BaseCommand} from '../../../cli/base-command.js'
import {FAULT_VIEW} from '../../../server/fault-client.js'

export default class ServerFaultList extends BaseCommand {
  static override summary = 'List fault injection rules'
  static override description =
    `"matched" counts requests that matched a rule. "injected" counts requests that failed because of it.`
  static override examples = [
    '<%= config.bin %> server fault list',
    '<%= config.bin %> server fault list -o json',
  ]
  static override flags = {
    data: Flags.string({description: 'Data folder of the bundled shop', helpValue: 'DIR'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerFaultList)
    const faults = await buildFaultClient(this.host, this.adapters, flags.data)
    const shown = await this.printCounted(await faults.list(), FAULT_VIEW)
    if (shown === 0) await this.note('No fault injection rules.')
  }
}
