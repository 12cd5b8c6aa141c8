import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {BaseCommand} from '../../cli/base-command.js'
import {momentFlag} from '../../flags/flag-kinds.js'
import {createListFlags, whereFlag} from '../../flags/list-flags.js'
import {parseListOrder} from '../../language/list-order.js'
import {
  countListedOrders,
  listOrders,
  ORDERS,
  ORDERS_SORTED_BY,
  type OrderQuery,
  parseOrderCondition,
  SHOP_ORDER_FIELDS,
} from '../../order/list-orders.js'

export default class OrderList extends BaseCommand {
  static override summary = 'List submitted fulfillment orders, newest first'
  static override description = 'Privileges: fulfillment_order:read.'
  static override resultFields = SHOP_ORDER_FIELDS
  static override examples = [
    '<%= config.bin %> order list',
    '<%= config.bin %> order list --since 2h --status on_hold',
    '<%= config.bin %> order list --all --reference WEB- -o ndjson',
    `<%= config.bin %> order list --where 'shipTo.country = "DE"' --sort orderDate`,
  ]
  static override flags = {
    reference: Flags.string({description: 'Reference prefix', helpGroup: 'SELECTION', helpValue: 'TEXT'}),
    status: Flags.string({
      description: 'Only orders with this status',
      helpGroup: 'SELECTION',
      options: ['received', 'on_hold'],
      multiple: true,
      multipleNonGreedy: true,
    }),
    since: momentFlag({description: 'Submitted at or after this time', helpGroup: 'SELECTION'}),
    until: momentFlag({description: 'Submitted before this time', helpGroup: 'SELECTION'}),
    where: whereFlag(),
    ...createListFlags('orders'),
    'fail-if-empty': Flags.boolean({description: 'Exit 9 if no order is found', helpGroup: 'OUTPUT'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(OrderList)
    const {limit, ...query} = this.#buildQuery(flags)
    const shop = await this.adapters.connect()
    const orders = listOrders({...query, limit}, shop, this.host.interruption.stopping)
    const shown = await this.print(orders, ORDERS)
    await this.noteShown(shown, ORDERS.noun, async () =>
      limit === undefined || shown < limit ? shown : countListedOrders(query, shop),
    )
    const isFiltered = [flags.reference, flags.status, flags.since, flags.until, flags.where].some(Boolean)
    await this.noteIfEmpty(shown, isFiltered ? 'such fulfillment orders at' : 'fulfillment orders at')
    if (shown === 0 && flags['fail-if-empty']) this.endWith('empty')
  }

  #buildQuery(flags: InferredFlags<typeof OrderList.flags>): OrderQuery {
    const now = this.host.clock.now()
    return {
      reference: flags.reference,
      statuses: flags.status,
      since: flags.since?.(now),
      until: flags.until?.(now),
      matches: flags.where === undefined ? undefined : parseOrderCondition(flags.where),
      order: flags.sort === undefined ? undefined : parseListOrder(flags.sort, ORDERS_SORTED_BY),
      limit: flags.all ? undefined : (flags.limit ?? this.presenter.usualLimit),
    }
  }
}
