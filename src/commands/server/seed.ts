import * as Flags from '@oclif/core/flags'
import {buildLocalShop} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {durationFlag, shareFlag} from '../../flags/flag-kinds.js'
import {SEEDED_VIEW} from '../../server/seed.js'

export default class ServerSeed extends BaseCommand {
  static override summary = 'Generate test customers, orders and payments'
  static override description =
    `The seed determines all data: the same numbers create the same customers and orders on every machine. Safe to
re-run: it creates only missing rows, also after an interruption. The server may run meanwhile. A second
concurrent seed is refused.

--payments adds payments of the last days that shop and provider both have. --drift makes them differ, evenly
over ten of the kinds that "payment reconcile" finds.`
  static override examples = [
    '<%= config.bin %> server seed',
    '<%= config.bin %> server seed --customers 10000 --orders 20000',
    '<%= config.bin %> server seed --payments 1000 --drift 1%',
    '<%= config.bin %> server seed --customers 500 --orders 0 --seed 7 -o json',
  ]
  static override flags = {
    customers: Flags.integer({
      description: 'Number of customers, at least a third of the orders',
      min: 0,
      max: 10_000_000,
      default: 200,
    }),
    orders: Flags.integer({description: 'Number of orders', min: 0, max: 10_000_000, default: 300}),
    seed: Flags.integer({
      description: 'Seed of the random generator',
      min: 0,
      max: 4_294_967_295,
      default: 1,
    }),
    payments: Flags.integer({description: 'Number of payments', min: 0, max: 10_000_000, default: 0}),
    drift: shareFlag({description: 'Share of payments that differ (default: none)', dependsOn: ['payments']}),
    'report-lag': durationFlag({
      description: "Time until a payment appears in the provider's report (default: none)",
      dependsOn: ['payments'],
    }),
    data: Flags.string({description: 'Data folder of the bundled shop', helpValue: 'DIR'}),
  }
  static override changes = true

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerSeed)
    const {customers, orders, seed, drift = 0, 'report-lag': reportLagMs} = flags
    const idle = flags.payments === 0 && (['drift', 'report-lag'] as const).find(name => flags[name])
    if (idle) throw createUsageError('payments', `--${idle} needs --payments N above 0.`)
    const payments = flags.payments > 0 ? {count: flags.payments, drift, reportLagMs} : undefined
    const shop = await buildLocalShop(this.host, this.adapters, flags.data)
    const made = await shop.seed({customers, orders, seed, payments}, this.progressOutput)
    const isMore = made.customers > Math.max(customers, Math.ceil(orders / 3)) || made.orders > orders
    if (isMore)
      await this.note('The shop had more rows already; a seed adds what is missing, and deletes nothing.')
    await this.presenter.printOne({...made, seed, data: shop.dataFolder}, SEEDED_VIEW)
  }
}
