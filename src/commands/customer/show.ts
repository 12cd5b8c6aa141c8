import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildCustomerDeps} from '../../app/customers.js'
import {BaseCommand} from '../../cli/base-command.js'
import {presentCustomer} from '../../customer/view/show-customer.js'

export default class CustomerShow extends BaseCommand {
  static override summary = 'Show one customer, with addresses and the newest orders'
  static override description =
    `Ends with exit 9 when there is no such customer, and with exit 2 when an address belongs to several. What the sign-in
may not read is left out, and a line on stderr says so.`
  static override examples = [
    '<%= config.bin %> customer show 10001',
    '<%= config.bin %> customer show ada@example.com -o json',
    '<%= config.bin %> customer show 10001 --mask-pii',
  ]
  static override args = {
    customer: Args.string({description: 'customer number, e-mail address or id', required: true}),
  }
  static override flags = {
    'mask-pii': Flags.boolean({
      description: 'print *** for names, addresses, custom fields and whatever else is or may be personal',
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CustomerShow)
    const deps = buildCustomerDeps(this.host, this.adapters)
    await this.nameShopIfMissing(presentCustomer(args.customer, flags['mask-pii'], deps, this.presenter))
  }
}
