import * as Args from '@oclif/core/args'
import {buildSearchDeps} from '../../app/customers.js'
import {BaseCommand} from '../../cli/base-command.js'
import {presentSearch} from '../../customer/view/search-presenter.js'
import {parseSearchRequest} from '../../customer/view/search-request.js'
import {searchFlags} from '../../flags/search-flags.js'

export default class CustomerSearch extends BaseCommand {
  static override summary = 'Find customers'
  static override description =
    `Every word must match the customer number, first name, last name, company or email address. An email address
must match exactly; 'Ada <ada@example.com>' is its address, and a domain has both its forms (müller.de,
xn--mller-kva.de). Flags narrow the result further. Search ignores case and accents.

JSON formats print each customer as the shop sent it. Use --fields to print less. "storectl customer fields"
lists all fields.

Privileges: customer:read, customer_address:read, customer_group:read, tag:read.`
  static override examples = [
    '<%= config.bin %> customer search ada lovelace',
    '<%= config.bin %> customer search ada@example.com -o json',
    '<%= config.bin %> customer search --country DE --zip 10 --sort createdAt:desc --limit 100',
    `<%= config.bin %> customer search --where 'orderCount >= 5 and (email ends "@example.com" or company = null)'`,
    '<%= config.bin %> customer search --all --fields id,email,group.name -o ndjson',
    '<%= config.bin %> customer search --created-since 3d --count',
    '<%= config.bin %> customer search --last-order-until 52w --tag newsletter --facet country,group',
    '<%= config.bin %> customer search --criteria @vips.json --mask-pii --all --out vips.csv',
  ]
  static override args = {
    term: Args.string({description: 'Words to find, or an email address', multiple: true}),
  }
  static override flags = searchFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CustomerSearch)
    const sources = {openInput: this.adapters.files.openInput, now: this.host.clock.now()}
    const request = await parseSearchRequest(flags, args.term ?? [], sources, this.presenter)
    const found = await presentSearch(request, buildSearchDeps(this.host, this.adapters), this.presenter)
    if (!flags.quiet)
      await this.noteIfEmpty(found ?? 1, flags.page ? 'customers on this page at' : 'customers found at')
    if (found === 0 && flags['fail-if-empty']) this.endWith('empty')
  }
}
