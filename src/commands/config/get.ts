import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../cli/base-command.js'
import {parseSettingKey} from '../../config/settings.js'
import {buildSettingRow, SETTING_ORIGIN_VIEW} from '../../config/settings-view.js'

export default class ConfigGet extends BaseCommand {
  static override summary = 'Print one setting'
  static override description =
    'Prints the value alone. Prints nothing if the setting has neither a value nor a default.'
  static override examples = [
    '<%= config.bin %> config get timeout',
    '<%= config.bin %> config get profile -o json',
  ]
  static override args = {
    key: Args.string({description: 'Setting, see "storectl config list"', required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(ConfigGet)
    const key = parseSettingKey(args.key)
    const row = buildSettingRow((await this.adapters.home.openSettings()).resolve(key))
    const {output, json} = this.globals
    if (output || json) return this.printOne({...row}, SETTING_ORIGIN_VIEW)
    await this.host.stdout.write(row.value === null ? '' : `${row.value}\n`)
  }
}
