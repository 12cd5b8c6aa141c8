import {buildProfileSources} from '../../app/profiles.js'
import {listProfileRows, PROFILE_VIEW} from '../../auth/login/profile-view.js'
import {BaseCommand} from '../../cli/base-command.js'

export default class ProfileList extends BaseCommand {
  static override summary = 'List profiles'
  static override description =
    'The bundled shop, "local", always exists. Prints no secrets, only whether they are stored.'
  static override examples = ['<%= config.bin %> profile list', '<%= config.bin %> profile list -o id']

  async run(): Promise<void> {
    await this.parse(ProfileList)
    const rows = await listProfileRows(await buildProfileSources(this.host, this.adapters))
    await this.printCounted(
      rows.map(row => ({...row})),
      PROFILE_VIEW,
    )
  }
}
