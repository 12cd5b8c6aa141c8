import type {SearchFlags} from '../../flags/search-flags.js'
import type {OutputFormat} from '../../language/output-formats.js'
import {type Presenter, USUAL_LIMIT} from '../../output/presenter.js'
import {type GivenCriteria, readCriteriaFile, readCriteriaText} from '../criteria/criteria-file.js'
import {refuseEmptyInput} from '../criteria/customer-query.js'
import {searchInput} from '../search/search-input.js'
import type {FacetInput} from '../search/single-response.js'
import {listPrintedProperties, selectCustomerFormat} from './customer-view.js'

/** A search and how its answer is printed. */
export interface CustomerSearchRequest {
  readonly input: FacetInput
  readonly format: OutputFormat
  /** File that the answer is written to; stdout when `undefined`. */
  readonly out: string | undefined
  /** Whether an existing file may be replaced. */
  readonly force: boolean
  /** Print how many there are. */
  readonly count: boolean
  /** Print the first request and send nothing. */
  readonly showRequest: boolean
  /** CSV leaves text that looks like a formula as it is. */
  readonly csvRaw: boolean
  readonly quiet: boolean
}

export interface SearchRequestSources {
  readonly openInput: (path: string) => Promise<{read(): AsyncIterable<Uint8Array>}>
  readonly now: Date
}

/**
 * The search that a command line asks for.
 *
 * @throws StorectlError `usage.empty_value`, `usage.criteria`, `usage.facet`, and as reading the file of criteria does
 */
export async function parseSearchRequest(
  flags: SearchFlags,
  terms: readonly string[],
  {openInput, now}: SearchRequestSources,
  presenter: Presenter,
): Promise<CustomerSearchRequest> {
  refuseEmptyInput({...flags}, terms, 'term')
  if (flags.ranked && !flags.quiet && terms.some(term => /\S@\S/.test(term)))
    await presenter.note(
      'Shopware 6.5 splits an address into words, and finds nearly every customer: use --email ADDRESS.',
    )
  const out = flags.out === '-' ? undefined : flags.out
  const criteria = await parseCriteria(flags.criteria, openInput)
  const format = chooseFormat(out, presenter)
  const properties = listPrintedProperties(format, presenter.fields)
  const usualLimit = out === undefined ? presenter.usualLimit : USUAL_LIMIT
  return {
    input: searchInput(flags, {terms, criteria, properties, now, usualLimit}),
    ...{format, out, force: flags.force, count: flags.count, quiet: flags.quiet},
    ...{showRequest: flags['show-request'], csvRaw: flags['csv-raw']},
  }
}

/** Criteria in JSON, or from `@FILE`. */
async function parseCriteria(
  text: string | undefined,
  openInput: SearchRequestSources['openInput'],
): Promise<GivenCriteria | undefined> {
  if (text === undefined) return undefined
  return readCriteriaFile(
    text.startsWith('@') ? await readCriteriaText(await openInput(text.slice(1))) : text,
  )
}

/** A file is written as its name ends, unless a format was requested. */
function chooseFormat(out: string | undefined, {requested, format}: Presenter): OutputFormat {
  return out === undefined || requested ? format : selectCustomerFormat(out)
}
