import {buildRegistrationDeps} from '../../app/webhook/registration.js'
import {BaseCommand} from '../../cli/base-command.js'
import {describePrivileges} from '../../doctor/privileges.js'
import {salesChannelFlag} from '../../flags/flag-kinds.js'
import {changeFlags} from '../../flags/global-flags.js'
import {deregister, REGISTERED} from '../../webhook/registration/registration.js'

export default class WebhookDeregister extends BaseCommand {
  static override baseFlags = changeFlags
  static override summary = 'Unregister the webhook'
  static override description =
    `The provider stops sending events to this shop. The shop deletes its webhook token: it refuses calls that carry
it, replays included, until "webhook register" makes a new one.

${describePrivileges('webhook deregister')}`
  static override examples = [
    '<%= config.bin %> webhook deregister --profile staging',
    '<%= config.bin %> webhook deregister --sales-channel 98432def39fc4624b33213a56b8c944d --profile shop --yes',
  ]
  static override changes = true
  static override flags = {'sales-channel': salesChannelFlag()}

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookDeregister)
    const deps = await buildRegistrationDeps(this.host, this.adapters)
    const channel = flags['sales-channel']
    const result = await deregister(channel, deps)
    const token = result === 'deleted' ? 'deleted' : 'unchanged'
    const row = {result, token, profile: deps.profile, salesChannel: channel ?? null}
    await this.printOne(row, REGISTERED)
  }
}
