import {StorectlError} from '../../errors.js'
import type {HttpResponse} from '../../http/http.js'
import {isObject} from '../../language/json-object.js'
import {JsonRows} from '../../output/json/json-rows.js'
import {parseExactJson} from '../../output/json/json-text.js'
import type {Batch} from '../../output/print.js'
import {LIMIT_EXCEEDED} from '../../shopware/error-texts.js'

/** One page of an answer: its rows and how many of them there are. */
export interface Page {
  readonly rows: Batch
  readonly count: number
}

/** How the shop begins a listing: `{"total":500,"data":[`. */
const BEGINNING = /^\{"total":(\d+),"data":\[/

/** Line feeds and control characters; no shop sends them unescaped, and JSON allows none. */
const UNESCAPED = [0x0a, 0x0d, 0x08, 0x1b]

/**
 * The rows of a listing, found in the bytes without parsing them wherever that is certain to be right.
 *
 * Every row ends with its `apiAlias` and begins with the member that the first one begins with. A quote inside text is
 * always escaped, so that sequence can only be structure; were it to stand inside a row as well, the number found
 * would differ from the `total` of the page. Then, and whenever anything else is not as expected, the page is parsed.
 *
 * @param body the answer, UTF-8; it belongs to the page from now on
 * @param alias `apiAlias` of the rows: `customer`
 * @returns `undefined` for what is no listing
 * @see protocol.md §6.6 for the order of members, §6.4: without a count mode `total` counts the rows of the page
 */
export function findPage(body: Buffer, alias: string): Page | undefined {
  const rows = findRows(body, alias)
  if (rows) return {rows, count: rows.count}
  const data = readMember(body, 'data')
  return Array.isArray(data) && data.every(isObject) ? {rows: data, count: data.length} : undefined
}

/** A member of a JSON object, `undefined` for whatever else the text is. */
export function readMember(body: Buffer, name: string): unknown {
  return parseJsonObject(body)?.[name]
}

/** The JSON object that a text is, `undefined` for whatever else it is. */
function parseJsonObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value = parseExactJson(body.toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function findRows(body: Buffer, alias: string): JsonRows | undefined {
  const beginning = BEGINNING.exec(body.toString('latin1', 0, 64))
  const total = Number(beginning?.[1] ?? 0)
  if (!beginning || total === 0) return undefined
  const from = beginning[0].length
  const opening = findFirstMember(body, from)
  if (opening === undefined) return undefined
  const closing = `"apiAlias":"${alias}"}`
  const commas = findCommas(body, from, closing, opening)
  const lastEnd = body.lastIndexOf(`${closing}],"aggregations":`)
  if (commas.length !== total - 1 || lastEnd < 0) return undefined
  const bytes = body.subarray(from, lastEnd + closing.length)
  if (UNESCAPED.some(control => bytes.includes(control))) return undefined
  return new JsonRows(
    bytes,
    commas.map(at => at - from),
  )
}

/** `{"extensions":`, the way every row then begins. */
function findFirstMember(body: Buffer, from: number): string | undefined {
  return /^\{"[A-Za-z_]+":/.exec(body.toString('latin1', from, from + 64))?.[0]
}

function findCommas(body: Buffer, from: number, closing: string, opening: string): number[] {
  const border = Buffer.from(`${closing},${opening}`, 'latin1')
  const commas: number[] = []
  for (let at = body.indexOf(border, from); at >= 0; at = body.indexOf(border, at + border.length)) {
    commas.push(at + closing.length)
  }
  return commas
}

/** The shop returns fewer rows per answer than requested. */
export class PageTooLarge extends StorectlError {
  /** @param most rows that the shop gives, 1 or more */
  constructor(readonly most: number) {
    super('rejected.page_too_large', `The shop gives ${most} rows per response at most.`, {
      nextSteps: [`the same command with --limit ${most}, or with --all`],
    })
  }
}

/**
 * How many rows the shop gives an answer at most, where that is why it refused.
 *
 * @see protocol.md §6.8
 */
export function parseRowLimit({status, body}: HttpResponse): number | undefined {
  const errors = status === 400 ? readMember(body, 'errors') : undefined
  const [error]: unknown[] = Array.isArray(errors) ? errors : []
  if (!isObject(error) || error.code !== LIMIT_EXCEEDED || !isObject(error.meta)) return undefined
  const {parameters} = error.meta
  const most = isObject(parameters) ? parameters.maxLimit : undefined
  return Number.isSafeInteger(most) && (most as number) > 0 ? (most as number) : undefined
}

/** Rows a request; becomes smaller where the shop gives fewer. */
export class PageSize {
  #rows: number

  /** @param rows 1 to 500 */
  constructor(rows: number) {
    this.#rows = rows
  }

  get rows(): number {
    return this.#rows
  }

  /**
   * Requests a page, and a smaller one if the shop reports that it is too large.
   *
   * @param ask gets how many rows a request may ask for
   */
  async requestFitting<T>(ask: (rows: number) => Promise<T>): Promise<T> {
    const rows = this.#rows
    try {
      return await ask(rows)
    } catch (error) {
      if (!(error instanceof PageTooLarge) || error.most >= rows) throw error
      this.#rows = error.most
      return this.requestFitting(ask)
    }
  }
}
