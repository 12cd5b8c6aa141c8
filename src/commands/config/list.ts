import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {buildSettingRow, SETTING_ORIGIN_VIEW, SETTING_VIEW} from '../../config/settings-view.js'

export default class ConfigList extends BaseCommand {
  static override summary = 'List the settings in force'
  static override description =
    `Flags stand above the environment, that above a project's .storectl.json (which may name a
profile and nothing else), that above your own settings, and those above the defaults.`
  static override examples = [
    '<%= config.bin %> config list',
    '<%= config.bin %> config list --show-origin',
    '<%= config.bin %> config list -o json',
  ]
  static override flags = {
    'show-origin': Flags.boolean({description: 'say where each value comes from; JSON always does'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ConfigList)
    const settings = await this.adapters.home.openSettings()
    const rows = settings.resolveAll().map(resolved => ({...buildSettingRow(resolved)}))
    await this.print(rows, flags['show-origin'] ? SETTING_ORIGIN_VIEW : SETTING_VIEW)
  }
}
