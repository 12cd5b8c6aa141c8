import * as Flags from '@oclif/core/flags'
import {buildLogoutDeps} from '../app/profiles.js'
import {presentLogouts} from '../auth/login/logout.js'
import {BaseCommand} from '../cli/base-command.js'

export default class Logout extends BaseCommand {
  static override summary = 'Drop what a profile is signed in with'
  static override description =
    `Access token, refresh token and client secret are removed from this machine. The profile
stays, with its webhook token and extra headers; "storectl profile remove" drops those too. The shop is not told: an
access token ends by itself after ten minutes.`
  static override examples = [
    '<%= config.bin %> logout',
    '<%= config.bin %> logout --profile staging',
    '<%= config.bin %> logout --all',
  ]
  static override flags = {
    all: Flags.boolean({description: 'every profile', exclusive: ['profile', 'url']}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(Logout)
    await presentLogouts(await buildLogoutDeps(this.host, this.adapters, flags.all), this.presenter)
  }
}
