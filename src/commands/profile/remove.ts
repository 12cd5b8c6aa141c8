import * as Args from '@oclif/core/args'
import {buildProfileSources} from '../../app/profiles.js'
import {removeProfile} from '../../auth/login/change-profile.js'
import {confirmWrite} from '../../auth/profile/confirm-write.js'
import {createMissingProfileError} from '../../auth/profile/stored-profiles.js'
import {BaseCommand} from '../../cli/base-command.js'
import {silentChangeFlags} from '../../flags/global-flags.js'

export default class ProfileRemove extends BaseCommand {
  static override baseFlags = silentChangeFlags
  static override summary = 'Delete a profile and its secrets'
  static override examples = ['<%= config.bin %> profile remove staging --yes']
  static override args = {
    name: Args.string({description: 'Profile name', required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(ProfileRemove)
    const {stored} = await buildProfileSources(this.host, this.adapters)
    const isStored = Object.hasOwn(stored, args.name)
    if (!isStored && args.name !== 'local') throw createMissingProfileError(args.name, Object.keys(stored))
    const profile = {name: args.name, protected: stored[args.name]?.protected === true}
    const {yes = false, confirm} = this.globals
    const {prompts} = this.adapters
    await confirmWrite(`remove profile "${args.name}" and its secrets`, {profile, yes, confirm, prompts})
    const wasCurrent = await removeProfile(args.name, await this.adapters.home.openStores())
    await this.note(`Deleted profile "${args.name}".${wasCurrent ? ' Commands now use "local".' : ''}`)
  }
}
