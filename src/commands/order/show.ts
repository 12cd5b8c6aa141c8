import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../cli/base-command.js'
import {ORDER_VIEW, showOrder} from '../../order/list-orders.js'

export default class OrderShow extends BaseCommand {
  static override summary = 'Show a submitted order as the shop has it'
  static override description = 'Ends with exit 9 when the shop has no order under the reference.'
  static override examples = [
    '<%= config.bin %> order show WEB-10001',
    '<%= config.bin %> order show WEB-10001 -o json',
  ]
  static override args = {
    reference: Args.string({description: "the caller's own key of the order", required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(OrderShow)
    const order = showOrder(args.reference, await this.adapters.connect())
    await this.printOne(await this.nameShopIfMissing(order), ORDER_VIEW)
  }
}
