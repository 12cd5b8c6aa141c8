import * as Args from '@oclif/core/args'
import {buildSearchDeps} from '../../app/customers.js'
import {BaseCommand} from '../../cli/base-command.js'
import {presentSearch} from '../../customer/view/search-presenter.js'
import {parseSearchRequest} from '../../customer/view/search-request.js'
import {searchFlags} from '../../flags/search-flags.js'

export default class CustomerSearch extends BaseCommand {
  static override summary = 'Find customers'
  static override description =
    `Every word has to be found in the customer's number, first or last name, company or
e-mail address; an e-mail address is matched exactly. Flags narrow the search further: everything given has to hold.
Upper and lower case and accents make no difference.

JSON formats print the customers as the shop sent them; --fields asks for less.`
  static override examples = [
    '<%= config.bin %> customer search ada lovelace',
    '<%= config.bin %> customer search ada@example.com -o json',
    '<%= config.bin %> customer search --country DE --zip 10 --sort -createdAt --limit 100',
    `<%= config.bin %> customer search --where 'orderCount >= 5 and (email ends "@example.com" or company = null)'`,
    '<%= config.bin %> customer search --all --fields id,email,group.name -o ndjson',
    '<%= config.bin %> customer search --created-since 3d --count',
    '<%= config.bin %> customer search --last-order-until 52w --tag newsletter --facet country,group',
    '<%= config.bin %> customer search --criteria @vips.json --mask-pii --all --out vips.csv',
  ]
  static override args = {
    term: Args.string({description: 'words to find, or an e-mail address', multiple: true}),
  }
  static override flags = searchFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CustomerSearch)
    const sources = {openInput: this.adapters.files.openInput, now: this.host.clock.now()}
    const request = await parseSearchRequest(flags, args.term ?? [], sources, this.presenter)
    const found = await presentSearch(request, buildSearchDeps(this.host, this.adapters), this.presenter)
    if (!flags.quiet) await this.noteIfEmpty(found ?? 1, 'customer found at')
    if (found === 0 && flags['fail-if-empty']) this.endWith('empty')
  }
}
