import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {parseSettingKey} from '../../config/settings.js'
import {buildSettingRow, PATHS_VIEW, SETTING_ORIGIN_VIEW, SETTING_VIEW} from '../../config/settings-view.js'
import {createUsageError} from '../../errors.js'

export default class ConfigList extends BaseCommand {
  static override summary = 'List effective settings, one of them, or their paths'
  static override description =
    `Precedence: flags, environment, project file (.storectl.json), user settings, defaults. A project file may set
the profile and nothing else.

With KEY, prints its value alone, or nothing if it has neither a value nor a default. STORECTL_HOME moves all
paths into one folder. A path may not exist yet.`
  static override examples = [
    '<%= config.bin %> config list',
    '<%= config.bin %> config list --show-origin',
    '<%= config.bin %> config list timeout',
    '<%= config.bin %> config list --path --fields settingsFile -o csv',
    'cd "$(<%= config.bin %> config list --path -o id)"',
  ]
  static override args = {key: Args.string({description: 'Print the value of this setting alone'})}
  static override flags = {
    'show-origin': Flags.boolean({
      description: 'Show the origin of each value; JSON always does',
      helpGroup: 'OUTPUT',
    }),
    path: Flags.boolean({description: 'Print the paths of settings and data', exclusive: ['show-origin']}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigList)
    const {home} = this.adapters
    if (flags.path && args.key) throw createUsageError('command_line', 'Give a setting, or --path.')
    if (flags.path) return this.printOne({...home.paths}, PATHS_VIEW)
    if (args.key !== undefined) return this.#printValue(args.key)
    const rows = (await home.openSettings()).resolveAll().map(resolved => ({...buildSettingRow(resolved)}))
    await this.printCounted(rows, flags['show-origin'] ? SETTING_ORIGIN_VIEW : SETTING_VIEW)
  }

  async #printValue(name: string): Promise<void> {
    const key = parseSettingKey(name)
    const row = buildSettingRow((await this.adapters.home.openSettings()).resolve(key))
    const {output, json} = this.globals
    if (output || json) return this.printOne({...row}, SETTING_ORIGIN_VIEW)
    await this.host.stdout.write(row.value === null ? '' : `${row.value}\n`)
  }
}
