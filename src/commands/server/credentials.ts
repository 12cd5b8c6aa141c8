import * as Flags from '@oclif/core/flags'
import {buildLocalShopDeps, type LocalShopDeps} from '../../app/server.js'
import {confirmWrite} from '../../auth/profile/confirm-write.js'
import {LOCAL} from '../../auth/profile/profile.js'
import {BaseCommand} from '../../cli/base-command.js'
import {usageError} from '../../errors.js'
import {readCredentials} from '../../shop/credentials.js'
import {CREDENTIALS_VIEW} from '../../shop/server-view.js'

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
    const {dataFolder: folder, world} = deps
    if (flags.reset) await this.#reset(deps)
    const credentials = readCredentials(folder, world.files)
    if (!credentials) {
      throw usageError('no_shop_yet', `No credentials of a shop are in ${folder}.`, [
        'storectl server start   # where no shop is yet: the first start makes them',
        'storectl server credentials --reset   # new ones, also for other servers that share the database',
      ])
    }
    await this.printOne({...credentials}, CREDENTIALS_VIEW)
  }

  async #reset({dataFolder, world}: LocalShopDeps): Promise<void> {
    const {yes = false, confirm} = this.globals
    const profile = {name: LOCAL, protected: false}
    const {prompts} = this.adapters
    await confirmWrite(`replace the credentials of the shop in ${dataFolder}`, {
      profile,
      yes,
      confirm,
      prompts,
    })
    const {openShop, resetCredentials} = await import('../../shop/open-shop.js')
    const {db, close} = await openShop({dataFolder}, world)
    this.adapters.closeAtEnd(close)
    await resetCredentials(db, dataFolder, world)
  }
}
