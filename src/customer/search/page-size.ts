import {StorectlError} from '../../errors.js'
import type {HttpResponse} from '../../http/http.js'
import {isObject} from '../../language/json-object.js'
import {readMember} from './response-pages.js'

/** The shop gives fewer rows an answer than were asked for. */
export class PageTooLarge extends StorectlError {
  /** @param most rows that the shop gives, 1 or more */
  constructor(readonly most: number) {
    super('rejected.page_too_large', `The shop gives ${most} rows an answer at most.`, {
      nextSteps: [`the same command with --limit ${most}, or with --all`],
    })
  }
}

/**
 * How many rows the shop gives an answer at most, where that is why it refused.
 *
 * @see protocol.md §6.8, `FRAMEWORK__QUERY_LIMIT_EXCEEDED`
 */
export function parseRowLimit({status, body}: HttpResponse): number | undefined {
  const errors = status === 400 ? readMember(body, 'errors') : undefined
  const [error]: unknown[] = Array.isArray(errors) ? errors : []
  if (!isObject(error) || error.code !== 'FRAMEWORK__QUERY_LIMIT_EXCEEDED' || !isObject(error.meta))
    return undefined
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
   * Asks for a page, and for a smaller one where the shop says that it is too large.
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
