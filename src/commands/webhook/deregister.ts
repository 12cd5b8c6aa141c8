import {buildRegistrationDeps} from '../../app/registration.js'
import {BaseCommand} from '../../cli/base-command.js'
import {salesChannelFlag} from '../../flags/flag-kinds.js'
import {deregister, REGISTERED} from '../../webhook/registration/registration.js'

export default class WebhookDeregister extends BaseCommand {
  static override summary = 'Have the shop end its registration at the provider'
  static override description =
    `The provider then sends no more notifications to this shop. The token stays, here and in the shop, so that what is under
way still finds its way in, and replays go on.`
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
    const row = {result, token: 'unchanged', profile: deps.profile, salesChannel: channel ?? null}
    await this.printOne(row, REGISTERED)
  }
}
