import * as Args from '@oclif/core/args'
import {buildProfileSources} from '../../app/profiles.js'
import {LOCAL} from '../../auth/profile/profile.js'
import {createUnknownProfileError} from '../../auth/profile/stored-profiles.js'
import {BaseCommand} from '../../cli/base-command.js'
import {changeSetting} from '../../config/settings.js'

export default class ProfileUse extends BaseCommand {
  static override summary = 'Make a profile the current one'
  static override description =
    'Commands use it unless a flag, STORECTL_URL, STORECTL_PROFILE or a project file says otherwise.'
  static override examples = [
    '<%= config.bin %> profile use local',
    '<%= config.bin %> profile use production',
  ]
  static override args = {
    name: Args.string({description: 'the profile', required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(ProfileUse)
    const {stored} = await buildProfileSources(this.host, this.adapters)
    if (args.name !== LOCAL && !Object.hasOwn(stored, args.name)) {
      throw createUnknownProfileError(args.name, Object.keys(stored))
    }
    const {settings} = await this.adapters.home.openStores()
    await changeSetting('profile', args.name, settings)
    await this.note(`Commands now use profile "${args.name}".`)
  }
}
