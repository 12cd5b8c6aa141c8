import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../cli/base-command.js'
import {describeOrder, ORDER_VIEW, SHOP_ORDER_FIELDS, showOrder} from '../../order/list-orders.js'

export default class OrderShow extends BaseCommand {
  static override summary = 'Show a submitted order'
  static override description =
    'Exits 9 if the shop has no order with this reference.\n\nPrivileges: fulfillment_order:read.'
  static override resultFields = SHOP_ORDER_FIELDS
  static override examples = [
    '<%= config.bin %> order show WEB-10001',
    '<%= config.bin %> order show WEB-10001 -o json',
  ]
  static override args = {
    reference: Args.string({description: 'Order reference', required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(OrderShow)
    const order = await this.nameShopIfMissing(showOrder(args.reference, await this.adapters.connect()))
    await this.printOne(describeOrder(order, this.presenter), ORDER_VIEW)
  }
}
