import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {openControl} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'
import {showCount} from '../../platform/terminal/progress.js'
import {buildTriggerRequest, presentCalls, TRIGGER_TYPES, triggerCalls} from '../../server/trigger.js'

const countFlag = (description: string) => Flags.integer({description, helpValue: 'N', min: 1, max: 10_000})

export default class ServerTrigger extends BaseCommand {
  static override summary = 'Trigger webhook calls, valid or failing'
  static override description =
    `The payment provider of the running bundled shop makes the calls. Each is about another payment that its TYPE
changes. Several types take turns. Without TYPE: ${TRIGGER_TYPES[0]}. Without a number: one valid
call of each TYPE. Prints counts by answer; with -o FORMAT, each call.

A refused call is in the inbox of the profile local. "webhook diagnose" finds its cause:
  --old-token            token-mismatch: a replay sends it
  --unknown-transaction  unknown-transaction: a replay holds it
  --wrong-token          wrong-token, then forged after "webhook verify": a replay never sends it
  --unsigned             wrong-token: a replay holds it

For another failure, first: server fault add route=webhook,status=503,count=10

Exits 0 if every call was answered, 3 if some were not, 6 if none was.`
  static override examples = [
    '<%= config.bin %> server trigger --old-token 20 --unknown-transaction 5 --wrong-token 5 --unsigned 5',
    '<%= config.bin %> server trigger PAYMENT.CAPTURE.COMPLETED PAYMENT.CAPTURE.REFUNDED --count 10',
    '<%= config.bin %> server trigger --count 10 --to http://127.0.0.1:8443 -o ndjson',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    type: Args.string({description: 'Event types', multiple: true, options: TRIGGER_TYPES}),
  }
  static override flags = {
    count: countFlag('Valid calls: the registered token, signed'),
    'old-token': countFlag('Honest calls after a rotation: an earlier token of the shop, signed'),
    'wrong-token': countFlag("A stranger's calls: another token, and a signature that is not the provider's"),
    'unknown-transaction': countFlag('Honest calls about a payment that the shop does not have'),
    unsigned: countFlag('Calls with another token and no signature'),
    to: Flags.string({
      description: 'Receiver on this machine instead of the shop, such as "webhook capture"',
      helpValue: 'URL',
    }),
    data: Flags.string({description: 'Data folder of the bundled shop', helpValue: 'DIR'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ServerTrigger)
    const {data, ...asked} = flags
    const control = await openControl(this.host, this.adapters, data)
    const {stop, onProgress} = showCount('calls', this.progressOutput)
    const request = buildTriggerRequest(args.type ?? [], asked)
    const signal = this.host.interruption.stopping
    const calls = await triggerCalls(request, {...control, signal, onProgress}).finally(stop)
    await presentCalls(calls, this.presenter)
    const isInInbox = asked.to === undefined && data === undefined
    if (isInInbox && calls.some(({answer}) => answer !== 200))
      await this.note('Next: storectl webhook diagnose')
    if (calls.some(({answer}) => answer === null)) this.endWith('partial')
  }
}
