import * as Flags from '@oclif/core/flags'
import {buildLocalShopDeps} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'

/** How often a long seeding says how far it is. */
const SAY_EVERY_MS = 2000

export default class ServerSeed extends BaseCommand {
  static override summary = 'Fill the bundled shop with people and orders'
  static override description =
    `They follow from the seed alone, in several languages and alphabets: the same numbers give the
same people and orders on every machine. It only ever adds: given again it changes nothing, and with larger numbers it
adds the rest, also after an interruption. A server may run meanwhile; a second seeding of the same shop is refused.`
  static override examples = [
    '<%= config.bin %> server seed',
    '<%= config.bin %> server seed --customers 10000 --orders 20000',
    '<%= config.bin %> server seed --customers 500 --orders 0 --seed 7 -o json',
  ]
  static override flags = {
    customers: Flags.integer({description: 'customers of this seed', min: 0, max: 10_000_000, default: 200}),
    orders: Flags.integer({description: 'orders of this seed', min: 0, max: 10_000_000, default: 300}),
    seed: Flags.integer({description: 'which people and orders', min: 0, max: 4_294_967_295, default: 1}),
    data: Flags.string({description: 'folder of its data', helpValue: 'DIR'}),
  }
  static override changes = true

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerSeed)
    const {customers, orders, seed} = flags
    const {dataFolder, world, signal} = await buildLocalShopDeps(this.host, this.adapters, flags.data)
    const {openShop} = await import('../../shop/open-shop.js')
    const {seedShop} = await import('../../shop/seed/seed.js')
    const {runExclusively: alone} = await import('../../shop/seed/exclusive-seed.js')
    const {db, close} = await openShop({dataFolder}, world)
    this.adapters.closeAtEnd(close)
    const made = await alone(db, dataFolder, world, () =>
      seedShop({customers, orders, seed}, {db, signal, onProgress: this.#sayNowAndThen(), isAlone: true}),
    )
    await this.printOne(
      {...made, seed, data: dataFolder},
      {
        noun: ['shop', 'shops'],
        id: 'data',
        columns: [{path: 'customers'}, {path: 'orders'}, {path: 'seed'}, {path: 'data'}],
      },
    )
  }

  #sayNowAndThen(): (made: {customers: number; orders: number}) => void {
    const {clock} = this.host
    let next = clock.now().getTime() + SAY_EVERY_MS
    return ({customers, orders}) => {
      const now = clock.now().getTime()
      if (now < next) return
      next = now + SAY_EVERY_MS
      void this.note(`${customers} customers, ${orders} orders so far`).catch(() => undefined)
    }
  }
}
