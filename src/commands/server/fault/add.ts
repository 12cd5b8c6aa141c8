import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildFaultClient} from '../../../app/server.js'
import {BaseCommand} from '../../../cli/base-command.js'
import {FAULT_KEYS, FAULT_VIEW, parseFaultRule} from '../../../server/fault-client.js'

export default class ServerFaultAdd extends BaseCommand {
  static override summary = 'Add fault injection rules'
  static override description =
    `Rules take effect with the next request. They end when cleared, after "count" injections, or when the server
stops. Several may match a request: it counts for each, and the first status is the answer.

A RULE is a comma-separated list of key=value pairs:
${FAULT_KEYS.map(({key, takes, means}) => `  ${key}=${takes}: ${means}`).join('\n')}`
  static override examples = [
    '<%= config.bin %> server fault add route=webhook,status=503,count=10',
    '<%= config.bin %> server fault add route=order,reset=after-commit,rate=5%,seed=7 latency=200ms',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    rule: Args.string({description: 'Fault injection rules', required: true, multiple: true}),
  }
  static override flags = {
    data: Flags.string({description: 'Data folder of the bundled shop', helpValue: 'DIR'}),
  }

  async run(): Promise<void> {
    const {argv, flags} = await this.parse(ServerFaultAdd)
    const rules = (argv as string[]).map(rule => parseFaultRule(rule).text)
    const faults = await buildFaultClient(this.host, this.adapters, flags.data)
    await this.presenter.print(await faults.add(rules), FAULT_VIEW)
  }
}
