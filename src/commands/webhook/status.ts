import {buildRegistrationDeps} from '../../app/registration.js'
import {BaseCommand} from '../../cli/base-command.js'
import {salesChannelFlag} from '../../flags/flag-kinds.js'
import {
  checkRegistration,
  REGISTRATION,
  selectRegistrationExit,
} from '../../webhook/registration/registration.js'

export default class WebhookStatus extends BaseCommand {
  static override summary = "See whether the provider's notifications find their way in"
  static override description =
    `Asks the shop whether the provider sends its notifications here, and whether the webhook token that is known here is
the shop's own: after a rotation, every replay would be refused. The token is tried with an empty call, which does nothing.
Without a sign-in only that is looked at. Nothing is changed.

Exit 0 when all is well, 4 when the token is not known, rotated or refused, 3 when the webhook is registered nowhere or
elsewhere.`
  static override examples = [
    '<%= config.bin %> webhook status',
    '<%= config.bin %> webhook status --profile production -o json',
    '<%= config.bin %> webhook status --sales-channel 98432def39fc4624b33213a56b8c944d',
  ]
  static override flags = {'sales-channel': salesChannelFlag()}

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookStatus)
    const row = await checkRegistration(
      flags['sales-channel'],
      await buildRegistrationDeps(this.host, this.adapters),
    )
    await this.printOne(row, REGISTRATION)
    this.endWith(selectRegistrationExit(row))
  }
}
