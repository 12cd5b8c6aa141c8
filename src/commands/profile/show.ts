import * as Args from '@oclif/core/args'
import {buildProfileSources} from '../../app/profiles.js'
import {findProfileRow, PROFILE_DETAIL} from '../../auth/login/profile-view.js'
import {createMissingProfileError, createUnknownProfileError} from '../../auth/profile/stored-profiles.js'
import {BaseCommand} from '../../cli/base-command.js'

export default class ProfileShow extends BaseCommand {
  static override summary = 'Show one profile'
  static override description =
    'Prints no secrets, only whether they are stored, and the names of extra headers.'
  static override examples = [
    '<%= config.bin %> profile show',
    '<%= config.bin %> profile show local -o json',
  ]
  static override args = {
    name: Args.string({description: 'Profile name (default: the current profile)'}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(ProfileShow)
    const sources = await buildProfileSources(this.host, this.adapters)
    const name = args.name ?? this.globals.profile ?? sources.current
    const row = await findProfileRow(name, sources)
    const createError = args.name === undefined ? createUnknownProfileError : createMissingProfileError
    if (!row) throw createError(name, Object.keys(sources.stored))
    await this.printOne({...row}, PROFILE_DETAIL)
  }
}
