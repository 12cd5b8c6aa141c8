import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildProfileSources} from '../../app/profiles.js'
import {createUnknownProfileError} from '../../auth/profile/stored-profiles.js'
import {BaseCommand} from '../../cli/base-command.js'
import {changeSetting, parseSettingKey} from '../../config/settings.js'
import {createUsageError} from '../../errors.js'
import {globalFlags} from '../../flags/global-flags.js'

export default class ConfigSet extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Set a configuration value'
  static override examples = [
    '<%= config.bin %> config set timeout 45s',
    '<%= config.bin %> config set output json',
    '<%= config.bin %> config set timeout --unset',
  ]
  static override args = {
    key: Args.string({description: 'Setting, see "storectl config list"', required: true}),
    value: Args.string({description: 'New value'}),
  }
  static override flags = {
    unset: Flags.boolean({description: 'Restore the default'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ConfigSet)
    const key = parseSettingKey(args.key)
    if ((args.value === undefined) !== (flags.unset === true)) {
      throw createUsageError('value', `Give a value for ${key}, or --unset.`, ['storectl config set --help'])
    }
    if (key === 'profile' && args.value !== undefined) await this.#refuseUnknown(args.value)
    await changeSetting(key, args.value, (await this.adapters.home.openStores()).settings)
    await this.note(flags.unset ? `${key}: default restored.` : `${key} is ${args.value}.`)
  }

  async #refuseUnknown(name: string): Promise<void> {
    const {stored} = await buildProfileSources(this.host, this.adapters)
    if (name !== 'local' && !Object.hasOwn(stored, name))
      throw createUnknownProfileError(name, Object.keys(stored))
  }
}
