import * as Flags from '@oclif/core/flags'
import {buildLocalShopDeps} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'
import {readOwnCredentials} from '../../shop/credentials.js'
import {CREDENTIALS_VIEW} from '../../shop/status.js'

export default class ServerCredentials extends BaseCommand {
  static override summary = "Print the bundled shop's credentials"
  static override description =
    `--reset makes new ones; the old ones, and the tokens given for them, are refused from then on, also
by a server that runs.`
  static override examples = [
    '<%= config.bin %> server credentials',
    '<%= config.bin %> server credentials -o json',
    '<%= config.bin %> server credentials --reset --yes',
  ]
  static override flags = {
    data: Flags.string({description: 'folder of its data', helpValue: 'DIR'}),
    reset: Flags.boolean({description: 'make new ones'}),
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
