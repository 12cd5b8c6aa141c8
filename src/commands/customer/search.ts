import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {BaseCommand} from '../../base-command.js'
import {customerApi} from '../../customer/api.js'
import {customerFields} from '../../customer/customer-fields.js'
import {count, requestText, type SearchInput, search} from '../../customer/search.js'
import {CUSTOMERS, countText, footer, printedProperties} from '../../customer/view.js'
import {momentFlag} from '../../flags.js'

/** Enough for a look; who wants more says so. */
const DEFAULT_LIMIT = 25

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
  ]
  static override args = {
    term: Args.string({description: 'words to find, or an e-mail address', multiple: true}),
  }
  static override flags = {
    email: Flags.string({description: 'exactly this e-mail address', helpValue: 'ADDRESS'}),
    number: Flags.string({description: 'exactly this customer number', helpValue: 'NUMBER'}),
    name: Flags.string({description: 'words of the first or last name'}),
    company: Flags.string({description: 'part of the company', helpValue: 'NAME'}),
    group: Flags.string({description: 'customer group, by name or id', helpValue: 'GROUP'}),
    country: Flags.string({description: 'country of the billing address', helpValue: 'DE'}),
    city: Flags.string({description: 'part of the city of the billing address'}),
    zip: Flags.string({description: 'how the postal code of the billing address begins'}),
    active: Flags.boolean({
      description: 'active ones, or with --inactive the others',
      exclusive: ['inactive'],
    }),
    inactive: Flags.boolean({description: 'those that are not active'}),
    guest: Flags.boolean({description: 'guests, or with --no-guest the others', allowNo: true}),
    'created-since': momentFlag({description: 'made at this time or later'}),
    'created-until': momentFlag({description: 'made before this time'}),
    where: Flags.string({description: 'a condition on any field', helpValue: 'EXPR'}),
    sort: Flags.string({
      description: 'fields to sort by, - for descending',
      helpValue: '-createdAt,lastName',
    }),
    limit: Flags.integer({description: 'how many at most (default 25)', min: 1, exclusive: ['all']}),
    all: Flags.boolean({description: 'all of them, streamed'}),
    'page-size': Flags.integer({description: 'customers a request', min: 1, max: 500, default: 500}),
    count: Flags.boolean({description: 'print how many there are; the shop has to count them'}),
    'show-request': Flags.boolean({description: 'print the first request, and send nothing'}),
    'fail-if-empty': Flags.boolean({description: 'exit 9 when none is found'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CustomerSearch)
    const input = {...this.#wish(flags), terms: args.term ?? []}
    const fields = customerFields()
    const {stdout, stderr, interruption} = this.context.world
    if (flags['show-request']) return stdout.write(requestText(input, fields))
    const deps = {api: customerApi(await this.context.connect()), fields, signal: interruption.stopping}
    if (flags.count) return stdout.write(countText(await count(input, deps), this.format))
    const shown = await this.print(search(input, deps), CUSTOMERS)
    if (this.format === 'table' && stderr.isTerminal) await this.note(footer(shown, input.limit))
    if (shown === 0 && flags['fail-if-empty']) this.endWith('empty')
  }

  #wish(flags: InferredFlags<typeof CustomerSearch.flags>): SearchInput {
    const now = this.context.world.clock.now()
    return {
      ...flags,
      active: flags.active ? true : flags.inactive ? false : undefined,
      createdSince: flags['created-since']?.(now),
      createdUntil: flags['created-until']?.(now),
      limit: flags.all ? undefined : (flags.limit ?? DEFAULT_LIMIT),
      pageSize: flags['page-size'],
      properties: printedProperties(this.format, this.fields),
    }
  }
}
