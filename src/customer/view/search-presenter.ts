import type {Presenter} from '../../output/presenter.js'
import type {Out} from '../../output/print.js'
import type {FileOutput} from '../../platform/files/atomic-file.js'
import type {ShopEntities} from '../fields/customer-fields.js'
import {chooseFields, type DescriptionQuery} from '../fields/customer-fields.js'
import type {FieldFinder} from '../fields/fields.js'
import {maskRows} from '../fields/mask.js'
import {explainEmpty} from '../search/explain-empty.js'
import {
  addBars,
  buildFacetAggregations,
  countFacets,
  FACET_BARS,
  FACETS,
  formatFacetFooter,
} from '../search/facets.js'
import {CountedBatches, describeStop} from '../search/pages.js'
import {buildCriteria, type CustomerSearchDeps, count, searchCustomers} from '../search/search.js'
import {type CustomerApi, captureFirstRequest, requestText} from '../search/search-client.js'
import {isOneAnswer} from '../search/single-response.js'
import {explainTextNumbers} from '../search/text-numbers.js'
import {addColumns, CUSTOMERS, countText, formatFooter, formatTotal, mayHaveMore} from './customer-view.js'
import type {CustomerSearchRequest} from './search-request.js'

export interface PresentSearchDeps extends Pick<CustomerSearchDeps, 'clock' | 'signal'> {
  readonly openApi: () => Promise<CustomerApi>
  /** How the shop describes its entities. */
  readonly describe: (query: DescriptionQuery) => Promise<ShopEntities | undefined>
  readonly openOutput: (file: string, replaces: boolean) => Promise<FileOutput>
  /** Names the shop that is asked. */
  readonly findShopName: () => Promise<string>
  /** Whether a signal ended the search. */
  readonly isStopped: () => boolean
}

/**
 * Searches and prints the answer to stdout, or as a whole to a file.
 *
 * @returns how many were found, `undefined` where nothing was sent
 * @throws StorectlError as the search does; a mistake in the request before anything is sent, unless the shop has to be
 * asked for its fields
 */
export async function presentSearch(
  request: CustomerSearchRequest,
  deps: PresentSearchDeps,
  presenter: Presenter,
): Promise<number | undefined> {
  const fields = await findFields(request, deps, presenter)
  if (request.out === undefined) {
    return new SearchPresenter(request, deps, {presenter, fields, out: presenter.streams.stdout}).present()
  }
  const output = await deps.openOutput(request.out, request.force)
  const found = await new SearchPresenter(request, deps, {presenter, fields, out: output.sink}).present()
  deps.signal.throwIfAborted()
  await output.keep()
  if (!request.quiet) await presenter.note(`Written: ${request.out}`)
  return found
}

/** The fields of the request. Without any in it our own description will do, and nothing is opened for it. */
function findFields(
  {input, showRequest}: CustomerSearchRequest,
  {describe}: PresentSearchDeps,
  presenter: Presenter,
): Promise<FieldFinder> {
  const check = (fields: FieldFinder) => {
    const criteria = buildCriteria(input, fields)
    if (input.facets.length === 0) isOneAnswer(input, criteria)
    buildFacetAggregations(input, fields)
  }
  const {where, sort, facets} = input
  const hasFields = [where, sort, presenter.fields, facets[0]].some(each => each !== undefined)
  return chooseFields(check, async query =>
    hasFields ? describe(showRequest ? {onlyStored: true} : query) : undefined,
  )
}

interface SearchOutput {
  readonly presenter: Presenter
  readonly fields: FieldFinder
  readonly out: Out
}

class SearchPresenter {
  constructor(
    private readonly request: CustomerSearchRequest,
    private readonly deps: PresentSearchDeps,
    private readonly output: SearchOutput,
  ) {}

  async present(): Promise<number | undefined> {
    const {input, showRequest} = this.request
    if (showRequest) return this.#printRequest()
    const deps = this.#searchDeps(await this.deps.openApi())
    await this.#note(await explainTextNumbers(buildCriteria(input, deps.fields).filter ?? [], deps))
    const found = await this.#printAnswer(deps)
    if (found === 0 && (input.page ?? 1) > 1) await this.#note(await this.#describeLastPage(deps))
    if (found === 0) for (const reason of await explainEmpty(input, deps)) await this.#note(reason)
    return found
  }

  /** How many pages there are, where a page past the last one was asked for. */
  async #describeLastPage(deps: CustomerSearchDeps): Promise<string | undefined> {
    const {page, limit = 1} = this.request.input
    const matching = await count(this.request.input, deps)
    const pages = Math.ceil(matching / limit)
    return matching === 0
      ? undefined
      : `Page ${page} is past the last one: ${matching} customers match, on ${pages === 1 ? '1 page' : `${pages} pages`} of ${limit}.`
  }

  async #printRequest(): Promise<undefined> {
    const {input, count: isCount} = this.request
    const request = await captureFirstRequest(api => {
      const deps = this.#searchDeps(api)
      if (isCount) return count(input, deps)
      return input.facets.length > 0 ? countFacets(input, deps) : searchCustomers(input, deps).next()
    })
    await this.output.out.write(requestText(request))
  }

  #searchDeps(api: CustomerApi): CustomerSearchDeps {
    const {clock, signal} = this.deps
    return {api, fields: this.output.fields, clock, signal}
  }

  async #printAnswer(deps: CustomerSearchDeps): Promise<number> {
    const {input, format, count: isCount} = this.request
    if (!isCount) return input.facets.length > 0 ? this.#printFacets(deps) : this.#printCustomers(deps)
    const found = await count(input, deps)
    await this.output.out.write(countText(found, format))
    return found
  }

  async #printFacets(deps: CustomerSearchDeps): Promise<number> {
    const {input, format, csvRaw} = this.request
    const {presenter, out} = this.output
    const rows = await countFacets(input, deps)
    const isTable = format === 'table'
    const options = {out, format, csvRaw}
    const shown = await presenter.print(
      isTable ? addBars(rows) : rows,
      isTable ? FACET_BARS : FACETS,
      options,
    )
    const isForPerson = isTable && presenter.streams.stdout.isTerminal && shown > 0
    await this.#note(
      formatFacetFooter(rows, input) ??
        (isForPerson ? `${shown} ${shown === 1 ? 'value' : 'values'}` : undefined),
    )
    return shown
  }

  async #printCustomers(deps: CustomerSearchDeps): Promise<number> {
    const {input, format, csvRaw, out: file} = this.request
    const {presenter, fields, out} = this.output
    const found = new CountedBatches(searchCustomers(input, deps))
    const rows = input.isMasked ? maskRows(found) : found
    const view = addColumns(CUSTOMERS, presenter.fields, fields)
    try {
      const shown = await presenter.print(rows, view, {out, format, csvRaw})
      await this.#note(await this.#formatFooter(shown, deps))
      return shown
    } catch (error) {
      if (this.deps.isStopped()) await this.#note(describeStop(found.count, file))
      throw error
    }
  }

  /** For people always; for scripts where they would miss somebody without noticing. */
  async #formatFooter(shown: number, deps: CustomerSearchDeps): Promise<string | undefined> {
    const {input, out, format} = this.request
    const isWritten = out !== undefined
    const isForPeople = this.output.presenter.streams.stderr.isTerminal && !isWritten
    const {limit, page} = input
    if (shown === 0) return undefined
    const hasPages = page !== undefined && page > 1
    if (isForPeople && format === 'table' && !hasPages) {
      const total = mayHaveMore(shown, limit) ? await count(input, deps) : shown
      // A shop that does not count says less than it has shown.
      if (total >= shown) return formatTotal(shown, total, page, await this.deps.findShopName())
    }
    return isForPeople || mayHaveMore(shown, limit)
      ? formatFooter(shown, {limit, page, isWritten})
      : undefined
  }

  async #note(text: string | undefined): Promise<void> {
    if (text !== undefined && !this.request.quiet) await this.output.presenter.note(text)
  }
}
