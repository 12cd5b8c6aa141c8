import {BaseCommand} from '../../cli/base-command.js'
import {PATHS_VIEW} from '../../config/settings-view.js'

export default class ConfigPath extends BaseCommand {
  static override summary = 'Show the paths of settings and data'
  static override description = 'STORECTL_HOME moves everything into one folder. A path may not exist yet.'
  static override examples = [
    '<%= config.bin %> config path',
    '<%= config.bin %> config path --fields settingsFile -o csv',
    'cd "$(<%= config.bin %> config path -o id)"',
  ]

  async run(): Promise<void> {
    await this.parse(ConfigPath)
    const {home} = this.adapters
    await this.printOne({...home.paths}, PATHS_VIEW)
  }
}
