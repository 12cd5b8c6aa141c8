import * as Flags from '@oclif/core/flags'
import {buildLocalShop} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'
import {changeFlags} from '../../flags/global-flags.js'
import {CREDENTIALS_VIEW} from '../../server/credentials.js'

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
    const shop = await buildLocalShop(this.host, this.adapters, flags.data)
    if (flags.reset) {
      await shop.confirm(`replace the credentials of the shop in ${shop.dataFolder}`)
      await shop.renewCredentials()
    }
    await this.presenter.printOne({...shop.readCredentials()}, CREDENTIALS_VIEW)
  }
}
