import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../base-command.js'
import {customerApi} from '../../customer/api.js'
import {CUSTOMER, showCustomer} from '../../customer/show.js'

export default class CustomerShow extends BaseCommand {
  static override summary = 'Show one customer'
  static override description =
    'Ends with exit 9 when there is no such customer, and with exit 2 when an address belongs to several.'
  static override examples = [
    '<%= config.bin %> customer show 10001',
    '<%= config.bin %> customer show ada@example.com -o json',
  ]
  static override args = {
    customer: Args.string({description: 'customer number, e-mail address or id', required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(CustomerShow)
    const api = customerApi(await this.context.connect())
    const {stopping} = this.context.world.interruption
    await this.printOne(await showCustomer(args.customer, api, stopping), CUSTOMER)
  }
}
