import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildFaultClient} from '../../../app/server.js'
import {BaseCommand} from '../../../cli/base-command.js'
import {FAULT_VIEW} from '../../../shop/control/control.js'
import {FAULT_KEYS, parseFaultRule} from '../../../shop/faults/parse.js'

export default class ServerFaultAdd extends BaseCommand {
  static override summary = 'Add faults to the server that runs'
  static override description =
    `They apply from the next request on, until they are cleared, have been injected "count" times, or the server ends.

A RULE is key=value pairs with commas between:
${FAULT_KEYS.map(({key, takes, means}) => `  ${key}=${takes}: ${means}`).join('\n')}`
  static override examples = [
    '<%= config.bin %> server fault add route=webhook,status=503,count=10',
    '<%= config.bin %> server fault add route=order,reset=after-commit,rate=5%,seed=7 latency=200ms',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    rule: Args.string({description: 'what to rehearse; one or more', required: true, multiple: true}),
  }
  static override flags = {
    data: Flags.string({description: 'folder of its data', helpValue: 'DIR'}),
  }

  async run(): Promise<void> {
    const {argv, flags} = await this.parse(ServerFaultAdd)
    const rules = (argv as string[]).map(rule => parseFaultRule(rule).text)
    const faults = await buildFaultClient(this.host, this.adapters, flags.data)
    await this.presenter.print(await faults.add(rules), FAULT_VIEW)
  }
}
