import * as Args from '@oclif/core/args'
import {buildProfileSources} from '../../app/profiles.js'
import {LOCAL} from '../../auth/profile/profile.js'
import {createMissingProfileError} from '../../auth/profile/stored-profiles.js'
import {BaseCommand} from '../../cli/base-command.js'
import {changeSetting} from '../../config/settings.js'
import {globalFlags} from '../../flags/global-flags.js'

export default class ProfileUse extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Switch the current profile'
  static override description =
    `A flag, STORECTL_URL, STORECTL_PROFILE or a project file takes precedence over the current profile.`
  static override examples = [
    '<%= config.bin %> profile use local',
    '<%= config.bin %> profile use production',
  ]
  static override args = {
    name: Args.string({description: 'Profile name', required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(ProfileUse)
    const {stored} = await buildProfileSources(this.host, this.adapters)
    if (args.name !== LOCAL && !Object.hasOwn(stored, args.name)) {
      throw createMissingProfileError(args.name, Object.keys(stored))
    }
    const {settings} = await this.adapters.home.openStores()
    await changeSetting('profile', args.name, settings)
    await this.note(`Commands now use profile "${args.name}".`)
  }
}
