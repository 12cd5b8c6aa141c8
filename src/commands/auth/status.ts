import * as Flags from '@oclif/core/flags'
import {buildStatusSources} from '../../app/profiles.js'
import {listStatuses, presentCheck, presentStatuses, requireSignIn} from '../../auth/login/sign-in-status.js'
import {BaseCommand} from '../../cli/base-command.js'

export default class AuthStatus extends BaseCommand {
  static override summary = 'Show where you are signed in, as whom and for how long'
  static override description =
    `The place that commands use comes first, with what chose it; then the other profiles. Nothing is
sent without --check. Exit 0 when the first can sign in, 4 when it cannot.`
  static override examples = [
    '<%= config.bin %> auth status',
    '<%= config.bin %> auth status --check',
    '<%= config.bin %> auth status --profile local -o json',
  ]
  static override flags = {
    check: Flags.boolean({description: 'ask the shop whether it accepts the token'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthStatus)
    const sources = await buildStatusSources(this.host, this.adapters)
    const statuses = await listStatuses(sources)
    await presentStatuses(statuses, this.presenter)
    requireSignIn(sources.chosen, statuses[0])
    if (!flags.check) return
    await presentCheck(await this.adapters.connect(), this.host.interruption.stopping, this.presenter)
  }
}
