import * as Flags from '@oclif/core/flags'
import {buildStatusSources} from '../../app/profiles.js'
import {
  addFoundVersions,
  listStatuses,
  presentCheck,
  presentStatuses,
  requireSignIn,
} from '../../auth/login/sign-in-status.js'
import {BaseCommand} from '../../cli/base-command.js'

export default class AuthStatus extends BaseCommand {
  static override summary = 'Show the current sign-in of each profile'
  static override description =
    `Lists the chosen profile first, with the setting that chose it. Sends nothing without --check. Exits 0 if the
chosen profile can sign in, otherwise 4.`
  static override examples = [
    '<%= config.bin %> auth status',
    '<%= config.bin %> auth status --check',
    '<%= config.bin %> auth status --profile local -o json',
  ]
  static override flags = {
    check: Flags.boolean({description: "Test the token with a request, and show the shop's versions"}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthStatus)
    const sources = await buildStatusSources(this.host, this.adapters, flags.check)
    const statuses = await listStatuses(sources)
    const versions = flags.check ? await sources.findVersions() : undefined
    await presentStatuses(versions ? addFoundVersions(statuses, versions) : statuses, this.presenter)
    requireSignIn(sources.chosen, statuses[0])
    if (!versions) return
    const signal = this.host.interruption.stopping
    await presentCheck(await this.adapters.connect(), {signal, versions}, this.presenter)
  }
}
