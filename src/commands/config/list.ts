import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {buildSettingRow, SETTING_ORIGIN_VIEW, SETTING_VIEW} from '../../config/settings-view.js'

export default class ConfigList extends BaseCommand {
  static override summary = 'List effective settings'
  static override description =
    `Precedence: flags, environment, project file (.storectl.json), user settings, defaults. A project file may set
the profile and nothing else.`
  static override examples = [
    '<%= config.bin %> config list',
    '<%= config.bin %> config list --show-origin',
    '<%= config.bin %> config list -o json',
  ]
  static override flags = {
    'show-origin': Flags.boolean({
      description: 'Show the origin of each value; JSON always does',
      helpGroup: 'OUTPUT',
    }),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ConfigList)
    const settings = await this.adapters.home.openSettings()
    const rows = settings.resolveAll().map(resolved => ({...buildSettingRow(resolved)}))
    await this.printCounted(rows, flags['show-origin'] ? SETTING_ORIGIN_VIEW : SETTING_VIEW)
  }
}
