import {StorectlError} from '../errors.js'
import {JsonRows} from '../output/json-rows.js'
import type {Row, View} from '../output/view.js'
import type {CustomerApi} from './api.js'
import type {Filter} from './criteria.js'

/** How one customer is shown. */
export const CUSTOMER: View = {
  noun: ['customer', 'customers'],
  columns: [
    {path: 'id'},
    {path: 'customerNumber'},
    {path: 'firstName'},
    {path: 'lastName'},
    {path: 'email'},
    {path: 'company'},
    {path: 'active'},
    {path: 'guest'},
    {path: 'createdAt', kind: 'time'},
    {path: 'lastOrderDate', kind: 'time'},
    {path: 'orderCount', kind: 'number'},
    {path: 'orderTotalAmount', kind: 'number'},
  ],
  id: 'id',
}

const ID = /^[0-9a-f]{32}$/i

/**
 * The customer with an id, a customer number or an e-mail address, as the shop sent it.
 *
 * @throws StorectlError `empty.no_customer`; `usage.several_customers` where an address belongs to more than one; and as
 * `CustomerApi.search` does
 */
export async function showCustomer(word: string, api: CustomerApi, signal: AbortSignal): Promise<Row> {
  const {rows} = await api.search({filter: [filterFor(word)], limit: 2}, signal)
  const [customer, other] = rows instanceof JsonRows ? rows.rows() : rows
  if (!customer) throw new StorectlError('empty.no_customer', `The shop has no customer ${word}.`)
  if (!other) return customer
  throw new StorectlError('usage.several_customers', `${word} belongs to more than one customer.`, {
    nextSteps: [`storectl customer search ${word}`, 'storectl customer show NUMBER'],
  })
}

function filterFor(word: string): Filter {
  if (ID.test(word)) return {type: 'equals', field: 'id', value: word.toLowerCase()}
  return {type: 'equals', field: word.includes('@') ? 'email' : 'customerNumber', value: word}
}
