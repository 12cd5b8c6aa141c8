import {buildRegistrationDeps} from '../../app/webhook/registration.js'
import {BaseCommand} from '../../cli/base-command.js'
import {describePrivileges} from '../../doctor/privileges.js'
import {salesChannelFlag} from '../../flags/flag-kinds.js'
import {
  checkRegistration,
  REGISTRATION,
  selectRegistrationExit,
} from '../../webhook/registration/registration.js'

export default class WebhookStatus extends BaseCommand {
  static override summary = 'Check webhook registration and token'
  static override description =
    `Compares the registration and token of the shop with the stored token, and tests the token with an empty
request. Changes nothing. Without a sign-in, it only tests the token.

Exits 4 if the token is missing, rotated or refused. Exits 3 if the webhook is not registered, or registered
elsewhere.

${describePrivileges('webhook status')}`
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
