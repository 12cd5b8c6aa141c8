import * as Flags from '@oclif/core/flags'
import {buildLocalShopDeps} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'
import {changeFlags} from '../../flags/global-flags.js'
import {readOwnCredentials} from '../../shop/credentials.js'
import {CREDENTIALS_VIEW} from '../../shop/status.js'

export default class ServerCredentials extends BaseCommand {
  static override baseFlags = changeFlags
  static override summary = "Show the bundled shop's credentials"
  static override description =
    '--reset creates new credentials. The old credentials and their tokens stop working immediately.'
  static override examples = [
    '<%= config.bin %> server credentials',
    '<%= config.bin %> server credentials -o json',
    '<%= config.bin %> server credentials --reset --yes',
  ]
  static override flags = {
    data: Flags.string({description: 'Data folder of the bundled shop', helpValue: 'DIR'}),
    reset: Flags.boolean({description: 'Create new credentials'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerCredentials)
    const deps = await buildLocalShopDeps(this.host, this.adapters, flags.data)
    const {dataFolder, host, confirm} = deps
    if (flags.reset) {
      await confirm(`replace the credentials of the shop in ${dataFolder}`)
      const {resetOwnCredentials} = await import('../../shop/open-shop.js')
      await resetOwnCredentials(dataFolder, host)
    }
    await this.presenter.printOne({...readOwnCredentials(dataFolder, host.files)}, CREDENTIALS_VIEW)
  }
}
