import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildFaultClient} from '../../../app/server.js'
import {BaseCommand} from '../../../cli/base-command.js'
import {formatCounted} from '../../../output/cell.js'
import {FAULT_VIEW, parseFaultIds} from '../../../server/fault-client.js'

export default class ServerFaultClear extends BaseCommand {
  static override summary = 'Remove fault injection rules'
  static override description = 'Removes all rules unless you name ids. Prints the removed rules.'
  static override examples = [
    '<%= config.bin %> server fault clear',
    '<%= config.bin %> server fault clear 2 3',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    id: Args.string({description: 'Rule ids, see "storectl server fault list"', multiple: true}),
  }
  static override flags = {
    data: Flags.string({description: 'Data folder of the bundled shop', helpValue: 'DIR'}),
  }

  async run(): Promise<void> {
    const {argv, flags} = await this.parse(ServerFaultClear)
    const ids = parseFaultIds(argv as string[])
    const faults = await buildFaultClient(this.host, this.adapters, flags.data)
    const removed = await this.print(await faults.clear(ids), FAULT_VIEW)
    await this.note(
      removed === 0 ? 'No fault injection rules.' : `Removed ${formatCounted(removed, ['rule', 'rules'])}.`,
    )
  }
}
