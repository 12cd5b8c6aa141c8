import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {BaseCommand} from '../../base-command.js'
import {customerApi} from '../../customer/api.js'
import {fittingFields} from '../../customer/customer-fields.js'
import {
  FACET_BARS,
  FACETS,
  type FacetInput,
  facetAggregations,
  facetFooter,
  facetRows,
  withBars,
} from '../../customer/facets.js'
import type {FieldFinder} from '../../customer/fields.js'
import {type GivenCriteria, readCriteria, textOf} from '../../customer/given-criteria.js'
import {maskedRows} from '../../customer/mask.js'
import {isOneAnswer} from '../../customer/one-answer.js'
import {count, criteriaOf, requestText, type SearchDeps, search} from '../../customer/search.js'
import {
  CUSTOMERS,
  countText,
  footer,
  formatOf,
  mayHaveMore,
  printedProperties,
  withColumns,
} from '../../customer/view.js'
import {momentFlag} from '../../flags.js'
import type {Out} from '../../output/print.js'
import type {Format} from '../../output/view.js'

/** Enough for a look; who wants more says so. */
const DEFAULT_LIMIT = 25

type SearchFlags = InferredFlags<typeof CustomerSearch.flags>

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
    'last-order-since': momentFlag({description: 'whose last order is of this time or later'}),
    'last-order-until': momentFlag({description: 'whose last order is from before this time'}),
    tag: Flags.string({
      description: 'with this tag; several: with each',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'NAME',
    }),
    where: Flags.string({description: 'a condition on any field', helpValue: 'EXPR'}),
    criteria: Flags.string({
      description: "the shop's own JSON, from a file or @- for stdin; flags narrow it further",
      helpValue: '@FILE',
    }),
    ranked: Flags.boolean({
      description: "leave the words to the shop's own search: any of them, the best first",
      exclusive: ['sort'],
    }),
    sort: Flags.string({
      description: 'fields to sort by, - for descending',
      helpValue: '-createdAt,lastName',
    }),
    limit: Flags.integer({description: 'how many at most (default 25)', min: 1, exclusive: ['all']}),
    all: Flags.boolean({description: 'all of them, streamed'}),
    page: Flags.integer({
      description: 'pass by --limit customers for each page before',
      min: 1,
      exclusive: ['all'],
    }),
    'page-size': Flags.integer({description: 'customers a request', min: 1, max: 500, default: 500}),
    count: Flags.boolean({description: 'print how many there are; the shop has to count them'}),
    facet: Flags.string({
      description: 'count them by fields instead; --limit is then of the values of each',
      helpValue: 'group,country',
      exclusive: ['count', 'page', 'sort'],
    }),
    out: Flags.string({
      description: 'write the result to a file, whole or not at all',
      helpValue: 'FILE',
      exclusive: ['count', 'show-request'],
    }),
    force: Flags.boolean({description: 'replace the file of --out', dependsOn: ['out']}),
    'mask-pii': Flags.boolean({description: 'print *** for names, addresses and whatever else is personal'}),
    'csv-raw': Flags.boolean({description: 'leave text in CSV as it is, though a spreadsheet may run it'}),
    'show-request': Flags.boolean({description: 'print the first request, and send nothing'}),
    quiet: Flags.boolean({description: 'say nothing on stderr of how many there were and how to get more'}),
    'fail-if-empty': Flags.boolean({description: 'exit 9 when none is found'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CustomerSearch)
    const {stdout, interruption} = this.context.world
    const input = {...(await this.#wish(flags)), terms: args.term ?? []}
    const fields = await this.#fields(input, flags['show-request'])
    if (flags['show-request']) return stdout.write(requestText(input, fields))
    const deps = {api: customerApi(await this.context.connect()), fields, signal: interruption.stopping}
    if (flags.count) return stdout.write(countText(await count(input, deps), this.#format(flags.out)))
    const shown = await this.#result(input, flags, deps)
    if (shown === 0 && flags['fail-if-empty']) this.endWith('empty')
  }

  /** Mistakes in what is asked for are found before anything is sent, but for asking the shop what fields it has. */
  #fields(input: FacetInput, onlyKept: boolean): Promise<FieldFinder> {
    const check = (fields: FieldFinder) => {
      const criteria = criteriaOf(input, fields)
      if (input.facets.length === 0) isOneAnswer(input, criteria)
      facetAggregations(input, fields)
    }
    return fittingFields(check, () => this.context.schema({onlyKept}))
  }

  /** @returns how many rows were printed */
  async #result(input: FacetInput, flags: SearchFlags, deps: SearchDeps): Promise<number> {
    if (flags.out === undefined) return this.#printed(input, flags, deps, this.context.world.stdout)
    const output = await this.context.openOutput(flags.out, flags.force)
    const shown = await this.#printed(input, flags, deps, output.sink)
    this.context.world.interruption.stopping.throwIfAborted()
    await output.keep()
    await this.#tell(`Written: ${flags.out}`, flags)
    return shown
  }

  async #printed(input: FacetInput, flags: SearchFlags, deps: SearchDeps, out: Out): Promise<number> {
    const format = this.#format(flags.out)
    const options = {out, format, csvRaw: flags['csv-raw']}
    if (input.facets.length > 0) {
      const rows = await facetRows(input, deps)
      const isBars = format === 'table'
      const shown = await this.print(isBars ? withBars(rows) : rows, isBars ? FACET_BARS : FACETS, options)
      await this.#tell(facetFooter(rows, input), flags)
      return shown
    }
    const found = search(input, deps)
    const rows = input.isMasked ? maskedRows(found) : found
    const shown = await this.print(rows, withColumns(CUSTOMERS, this.fields, deps.fields), options)
    await this.#tell(this.#footer(shown, input, flags), flags)
    return shown
  }

  /** For people always; for scripts where they would miss somebody without noticing. */
  #footer(shown: number, {limit, page}: FacetInput, {out}: SearchFlags): string | undefined {
    const isWritten = out !== undefined
    const isForPeople = this.context.world.stderr.isTerminal && !isWritten
    return isForPeople || mayHaveMore(shown, limit) ? footer(shown, {limit, page, isWritten}) : undefined
  }

  async #tell(text: string | undefined, {quiet}: SearchFlags): Promise<void> {
    if (text !== undefined && !quiet) await this.note(text)
  }

  /** A file is written as its name ends, unless -o or a setting says how. */
  #format(out: string | undefined): Format {
    return out === undefined || this.context.output ? this.format : formatOf(out)
  }

  async #wish(flags: SearchFlags): Promise<FacetInput> {
    const now = this.context.world.clock.now()
    const criteria = flags.criteria === undefined ? undefined : await this.#criteria(flags.criteria)
    const facets =
      flags.facet
        ?.split(',')
        .map(facet => facet.trim())
        .filter(Boolean) ?? []
    return {
      ...flags,
      tags: flags.tag,
      active: flags.active ? true : flags.inactive ? false : undefined,
      createdSince: flags['created-since']?.(now),
      createdUntil: flags['created-until']?.(now),
      lastOrderSince: flags['last-order-since']?.(now),
      lastOrderUntil: flags['last-order-until']?.(now),
      criteria,
      limit: flags.all || criteria?.ids ? undefined : (flags.limit ?? criteria?.limit ?? DEFAULT_LIMIT),
      page: flags.all ? undefined : (flags.page ?? criteria?.page),
      pageSize: flags['page-size'],
      properties: facets.length > 0 ? undefined : printedProperties(this.#format(flags.out), this.fields),
      facets,
      isMasked: flags['mask-pii'],
    }
  }

  async #criteria(word: string): Promise<GivenCriteria> {
    if (!word.startsWith('@')) return readCriteria(word)
    const input = await this.context.openInput(word.slice(1))
    return readCriteria(await textOf(input))
  }
}
