import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildCustomerDeps} from '../../app/customers.js'
import {BaseCommand} from '../../cli/base-command.js'
import {presentCustomer} from '../../customer/view/show-customer.js'

export default class CustomerShow extends BaseCommand {
  static override summary = 'Show one customer with addresses and recent orders'
  static override description =
    `Exits 9 if the customer does not exist, and 2 if several customers share the address. A note on stderr lists
fields that you have no privilege to read.

Privileges: customer:read, customer_address:read, customer_group:read, tag:read, order:read.`
  static override examples = [
    '<%= config.bin %> customer show 10001',
    '<%= config.bin %> customer show ada@example.com -o json',
    '<%= config.bin %> customer show 10001 --mask-pii',
  ]
  static override args = {
    customer: Args.string({
      description: 'Customer number, email address, or id',
      required: true,
    }),
  }
  static override flags = {
    'mask-pii': Flags.boolean({
      description: 'Print *** for personal data: names, addresses, custom fields',
      helpGroup: 'OUTPUT',
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CustomerShow)
    const deps = buildCustomerDeps(this.host, this.adapters)
    await this.nameShopIfMissing(presentCustomer(args.customer, flags['mask-pii'], deps, this.presenter))
  }
}
