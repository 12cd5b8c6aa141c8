import * as Flags from '@oclif/core/flags'
import {buildLogoutDeps} from '../app/profiles.js'
import {presentLogouts} from '../auth/login/logout.js'
import {BaseCommand} from '../cli/base-command.js'
import {globalFlags} from '../flags/global-flags.js'

export default class Logout extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Sign out (delete stored credentials)'
  static override description =
    `Deletes access token, refresh token and client secret from this machine. The profile, its webhook token and its
extra headers stay; "storectl profile remove" deletes those too. An access token that was already issued stays
valid at the shop for up to 10 minutes.`
  static override examples = [
    '<%= config.bin %> logout',
    '<%= config.bin %> logout --profile staging',
    '<%= config.bin %> logout --all',
  ]
  static override flags = {
    all: Flags.boolean({description: 'Sign out of all profiles', exclusive: ['profile', 'url']}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(Logout)
    await presentLogouts(await buildLogoutDeps(this.host, this.adapters, flags.all), this.presenter)
  }
}
