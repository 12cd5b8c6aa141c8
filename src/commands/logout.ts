import * as Flags from '@oclif/core/flags'
import {formatLogout, signOut} from '../auth/login/logout.js'
import {buildProfile, parseStoredProfiles} from '../auth/profile/stored-profiles.js'
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
    const {settings, credentials} = await this.adapters.home.stores()
    const stored = Object.entries(parseStoredProfiles(await settings.read()))
    const {profile} = flags.all ? {} : await this.adapters.chooseProfile()
    const owners = flags.all
      ? stored.map(([name, each]) => buildProfile(name, each))
      : profile
        ? [profile]
        : []
    if (owners.length === 0) await this.note('Nothing to sign out of: the bundled shop signs in by itself.')
    for (const owner of owners) {
      const dropped = await signOut(owner, credentials)
      await this.note(formatLogout(owner, dropped, this.host.env))
    }
  }
}
