import * as Args from '@oclif/core/args'
import {buildShowPaymentDeps} from '../../app/payment/show-payment.js'
import {BaseCommand} from '../../cli/base-command.js'
import {PAYMENT, showPayment} from '../../payment/view/show-payment.js'

export default class PaymentShow extends BaseCommand {
  static override summary = 'Show a payment: shop, provider, events and history'
  static override description =
    `Shows what the shop and the provider have of one payment, and how they differ. Below are the stored events and
the moves of its state. Without provider credentials, the provider's side is missing. Exits 9 if the shop has no
such payment.

Privileges: order_transaction:read, state_machine_state:read, order:read, currency:read,
state_machine_history:read.`
  static override examples = [
    '<%= config.bin %> payment show 10001',
    '<%= config.bin %> payment show 0190a6d2f1c87e3b9c4d5e6f7a8b9c0d -o json',
  ]
  static override args = {
    id: Args.string({
      description: 'Transaction id, order number, or order id of the provider',
      required: true,
    }),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(PaymentShow)
    const payment = showPayment(args.id, await buildShowPaymentDeps(this.host, this.adapters))
    await this.printOne(await this.nameShopIfMissing(payment), PAYMENT)
  }
}
