import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {describeEntities} from '../../app/customers.js'
import {BaseCommand} from '../../cli/base-command.js'
import {refuseEmptyInput} from '../../customer/criteria/customer-query.js'
import {chooseFields} from '../../customer/fields/customer-fields.js'
import type {FieldFinder} from '../../customer/fields/fields.js'
import {maskRow} from '../../customer/fields/mask.js'
import {createSearchClient} from '../../customer/search/search-client.js'
import {addColumns} from '../../customer/view/customer-view.js'
import {
  ADDRESSES,
  CUSTOMER,
  RECENT_ORDERS,
  type ShownCustomer,
  selectAssociations,
  showCustomer,
} from '../../customer/view/show-customer.js'
import type {Row, View} from '../../output/view.js'

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
    refuseEmptyInput({}, [args.customer], 'customer')
    const check = (fields: FieldFinder) => void selectAssociations(this.presenter.fields, fields)
    const fields = await chooseFields(check, query => describeEntities(this.host, this.adapters, query))
    const api = createSearchClient(await this.adapters.connect())
    const deps = {api, fields, signal: this.host.interruption.stopping}
    const shown = await showCustomer(args.customer, this.presenter.fields, deps)
    const mask = flags['mask-pii'] ? maskRow : (row: Row) => row
    const {customer, addresses, recentOrders} = shown
    const record = mask({...customer, addresses, recentOrders})
    await this.printOne(record, addColumns(CUSTOMER, this.presenter.fields, fields))
    if (this.presenter.format === 'table' && !this.presenter.fields) await this.#below(shown, mask)
    if (shown.hidden.length > 0) await this.note(`This sign-in may not read ${shown.hidden.join(' and ')}.`)
  }

  async #below({addresses, recentOrders}: ShownCustomer, mask: (row: Row) => Row): Promise<void> {
    await this.#list('Addresses', addresses, ADDRESSES, mask)
    await this.#list('Recent orders', recentOrders, RECENT_ORDERS, mask)
  }

  async #list(
    title: string,
    rows: readonly Row[] | null,
    view: View,
    mask: (row: Row) => Row,
  ): Promise<void> {
    if (!rows || rows.length === 0) return
    await this.host.stdout.write(`\n${title}\n`)
    await this.print(rows.map(mask), view)
  }
}
