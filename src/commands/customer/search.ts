import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {describeEntities} from '../../app/customers.js'
import {BaseCommand} from '../../cli/base-command.js'
import {momentFlag} from '../../cli/flags.js'
import {type GivenCriteria, readCriteria, readCriteriaText} from '../../customer/criteria/criteria-file.js'
import {refuseEmptyInput} from '../../customer/criteria/customer-query.js'
import {chooseFields} from '../../customer/fields/customer-fields.js'
import type {FieldFinder} from '../../customer/fields/fields.js'
import {maskRows} from '../../customer/fields/mask.js'
import {explainEmpty} from '../../customer/search/explain-empty.js'
import {
  addBars,
  buildFacetAggregations,
  countFacets,
  FACET_BARS,
  FACETS,
  type FacetInput,
  formatFacetFooter,
} from '../../customer/search/facets.js'
import {formatStopped, Tally} from '../../customer/search/pages.js'
import {buildCriteria, count, type SearchDeps, search} from '../../customer/search/search.js'
import {
  type CustomerApi,
  captureFirstRequest,
  createSearchClient,
  requestText,
} from '../../customer/search/search-client.js'
import {searchInput} from '../../customer/search/search-input.js'
import {isOneAnswer} from '../../customer/search/single-response.js'
import {
  addColumns,
  CUSTOMERS,
  countText,
  formatFooter,
  formatOf,
  listPrintedProperties,
  mayHaveMore,
} from '../../customer/view/customer-view.js'
import type {Out} from '../../output/print.js'
import type {Format} from '../../output/view.js'

type Given = InferredFlags<typeof CustomerSearch.flags>

/** What the command line asks for, and where the answer goes. */
interface Asked {
  readonly input: FacetInput
  readonly flags: Given
  readonly fields: FieldFinder
  readonly out: Out
}

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
      description: 'write the result to a file, whole or not at all; - for stdout',
      helpValue: 'FILE',
    }),
    force: Flags.boolean({description: 'replace the file of --out', dependsOn: ['out']}),
    'mask-pii': Flags.boolean({
      description: 'print *** for names, addresses, custom fields and whatever else is or may be personal',
    }),
    'csv-raw': Flags.boolean({description: 'leave text in CSV as it is, though a spreadsheet may run it'}),
    'show-request': Flags.boolean({description: 'print the first request, and send nothing'}),
    quiet: Flags.boolean({description: 'say nothing on stderr of how many there were and how to get more'}),
    'fail-if-empty': Flags.boolean({description: 'exit 9 when none is found'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CustomerSearch)
    refuseEmptyInput(flags, args.term ?? [], 'term')
    const input = await this.#input(flags, args.term)
    const fields = await this.#fields(input, flags['show-request'])
    const found = await this.#written(flags, out => this.#answer({input, flags, fields, out}))
    if (found === 0 && flags['fail-if-empty']) this.endWith('empty')
  }

  /** Mistakes in what is asked for are found before anything is sent, but for asking the shop what fields it has. */
  #fields(input: FacetInput, onlyStored: boolean): Promise<FieldFinder> {
    const check = (fields: FieldFinder) => {
      const criteria = buildCriteria(input, fields)
      if (input.facets.length === 0) isOneAnswer(input, criteria)
      buildFacetAggregations(input, fields)
    }
    const {where, sort, facets} = input
    const isAboutFields = [where, sort, this.presenter.fields, facets[0]].some(each => each !== undefined)
    // Without one of them our own description will do, and nothing has to be opened for it.
    return chooseFields(check, async query =>
      isAboutFields
        ? describeEntities(this.host, this.adapters, onlyStored ? {onlyStored} : query)
        : undefined,
    )
  }

  /** Has the answer written to stdout, or as a whole to the file of `--out`. */
  async #written(
    flags: Given,
    write: (out: Out) => Promise<number | undefined>,
  ): Promise<number | undefined> {
    const {stdout, interruption} = this.host
    if (flags.out === undefined || flags.out === '-') return write(stdout)
    const output = await this.adapters.files.openOutput(flags.out, flags.force)
    const found = await write(output.sink)
    interruption.stopping.throwIfAborted()
    await output.keep()
    await this.#tell(`Written: ${flags.out}`, flags)
    return found
  }

  /** @returns how many were found, `undefined` where nothing was looked for */
  async #answer(asked: Asked): Promise<number | undefined> {
    const {input, flags, out} = asked
    if (flags['show-request']) return this.#request(asked)
    const deps = this.#deps(createSearchClient(await this.adapters.connect()), asked)
    const found = flags.count
      ? await count(input, deps)
      : input.facets.length > 0
        ? await this.#facets(asked, deps)
        : await this.#customers(asked, deps)
    if (flags.count) await out.write(countText(found, this.#format(flags.out)))
    if (found === 0) for (const reason of await explainEmpty(input, deps)) await this.#tell(reason, flags)
    return found
  }

  async #request(asked: Asked): Promise<undefined> {
    const {input, flags, out} = asked
    const request = await captureFirstRequest(api => {
      const deps = this.#deps(api, asked)
      if (flags.count) return count(input, deps)
      return input.facets.length > 0 ? countFacets(input, deps) : search(input, deps).next()
    })
    await out.write(requestText(request))
  }

  #deps(api: CustomerApi, {fields}: Asked): SearchDeps {
    const {clock, interruption} = this.host
    return {api, fields, clock, signal: interruption.stopping}
  }

  async #facets({input, flags, out}: Asked, deps: SearchDeps): Promise<number> {
    const format = this.#format(flags.out)
    const isBars = format === 'table'
    const rows = await countFacets(input, deps)
    const options = {out, format, csvRaw: flags['csv-raw']}
    const shown = await this.print(isBars ? addBars(rows) : rows, isBars ? FACET_BARS : FACETS, options)
    await this.#tell(formatFacetFooter(rows, input), flags)
    return shown
  }

  async #customers({input, flags, out}: Asked, deps: SearchDeps): Promise<number> {
    const found = new Tally(search(input, deps))
    const rows = input.isMasked ? maskRows(found) : found
    const options = {out, format: this.#format(flags.out), csvRaw: flags['csv-raw']}
    try {
      const shown = await this.print(rows, addColumns(CUSTOMERS, this.presenter.fields, deps.fields), options)
      await this.#tell(this.#footer(shown, input, flags), flags)
      return shown
    } catch (error) {
      if (this.isStopped) await this.#tell(formatStopped(found.count, flags.out), flags)
      throw error
    }
  }

  /** For people always; for scripts where they would miss somebody without noticing. */
  #footer(shown: number, {limit, page}: FacetInput, {out}: Given): string | undefined {
    const isWritten = out !== undefined && out !== '-'
    const isForPeople = this.host.stderr.isTerminal && !isWritten
    return isForPeople || mayHaveMore(shown, limit)
      ? formatFooter(shown, {limit, page, isWritten})
      : undefined
  }

  async #tell(text: string | undefined, {quiet}: Given): Promise<void> {
    if (text !== undefined && !quiet) await this.note(text)
  }

  /** A file is written as its name ends, unless -o or a setting says how. */
  #format(out: string | undefined): Format {
    return out === undefined || out === '-' || this.presenter.requested
      ? this.presenter.format
      : formatOf(out)
  }

  async #input(flags: Given, terms: readonly string[] = []): Promise<FacetInput> {
    const criteria = flags.criteria === undefined ? undefined : await this.#criteria(flags.criteria)
    const properties = listPrintedProperties(this.#format(flags.out), this.presenter.fields)
    return searchInput(flags, {terms, criteria, properties, now: this.host.clock.now()})
  }

  async #criteria(word: string): Promise<GivenCriteria> {
    if (!word.startsWith('@')) return readCriteria(word)
    const input = await this.adapters.files.openInput(word.slice(1))
    return readCriteria(await readCriteriaText(input))
  }
}
