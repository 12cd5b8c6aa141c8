import {StorectlError} from '../../src/errors.js'
import type {Call, HttpResponse} from '../../src/http/http.js'

/** A search as the shop got it. */
export interface Search {
  readonly entity: string
  readonly criteria: {
    readonly ids?: readonly string[]
    readonly filter?: readonly Readonly<Record<string, unknown>>[]
    readonly page?: number
    readonly [key: string]: unknown
  }
}

/** No test asks more often. */
const MOST_SEARCHES = 100

/** A shop whose searches a test answers: with rows, with a whole answer, or with a status alone. */
export function createSearchedShop(answer: (search: Search) => readonly unknown[] | object | number) {
  const asked: Search[] = []
  const call = async ({path, body}: Call): Promise<HttpResponse> => {
    const search = {entity: path.replace('/api/search/', ''), criteria: JSON.parse(String(body))}
    asked.push(search)
    if (asked.length > MOST_SEARCHES) throw new Error('the shop is asked again and again')
    const answered = answer(search)
    const [status, value] = typeof answered === 'number' ? [answered, {}] : [200, answered]
    const whole = Array.isArray(value) ? {data: value} : value
    return {status, headers: {}, body: Buffer.from(JSON.stringify(whole))}
  }
  const client = {baseUrl: new URL('http://shop'), call}
  const refusal = (given: HttpResponse, doing: string) =>
    new StorectlError('rejected.by_shop', `${doing}: HTTP ${given.status}`)
  return {asked, shop: {patient: client, search: client, refusal}}
}

/** A transaction as a search finds it, of an order of its own. */
export function createTransactionRow(
  id: string,
  createdAt: string,
  {order = {}, ...own}: {order?: object} & Record<string, unknown> = {},
) {
  const row = {
    ...{id, createdAt, stateMachineState: {technicalName: 'open'}, amount: {totalPrice: 10}},
    ...{customFields: {swag_paypal_order_id: `P${id}`}, ...own},
  }
  return {
    ...row,
    order: {
      ...{id: `order${id}`, orderNumber: `no${id}`, salesChannelId: 'channel', amountTotal: 99},
      ...{currency: {isoCode: 'EUR'}, stateMachineState: {technicalName: 'completed'}, transactions: [row]},
      ...order,
    },
  }
}
