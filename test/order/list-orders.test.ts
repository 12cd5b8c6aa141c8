import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import type {Call} from '../../src/http/http.js'
import {listOrders, type OrderQuery} from '../../src/order/list-orders.js'
import type {Row} from '../../src/output/view.js'

interface Order {
  readonly reference: string
  readonly createdAt: string
  readonly status: string
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

/** A shop with 1,200 orders, the later the smaller the reference; each search finds one more, which comes before all. */
function createOrderShop() {
  const orders = Array.from({length: 1200}, (_, second): Order => {
    const reference = `R-${String(9999 - second)}`
    return {reference, createdAt: at(second), status: second % 400 === 0 ? 'on_hold' : 'open'}
  })
  const sizes: number[] = []
  const call = async ({body}: Call) => {
    const {filter, sort, page = 1, limit} = JSON.parse(String(body))
    const ranges = filter.flatMap(({parameters = []}: {parameters?: object}) => parameters)
    const {gte = '', lt = '9', lte = '9'} = Object.assign({}, ...ranges)
    const [{field, order}] = sort as [{field: keyof Order; order: string}]
    const found = orders
      .filter(({createdAt}) => createdAt >= gte && createdAt < lt && createdAt <= lte)
      .sort((one, other) => one[field].localeCompare(other[field]) * (order === 'DESC' ? -1 : 1))
    const data = found.slice((page - 1) * limit, page * limit)
    if (limit > 1) sizes.push(limit)
    orders.push({reference: `A-${orders.length}`, createdAt: at(orders.length), status: 'on_hold'})
    return {status: 200, headers: {}, body: Buffer.from(JSON.stringify({data}))}
  }
  const refusal = () => new StorectlError('rejected.by_shop', 'refused')
  const list = async (query: Partial<OrderQuery>): Promise<string[]> => {
    const shop = {patient: {baseUrl: new URL('http://shop'), call}, refusal}
    const found: string[] = []
    const pages = listOrders({limit: undefined, ...query}, shop, new AbortController().signal)
    for await (const some of pages) found.push(...(some as Row[]).map(({reference}) => String(reference)))
    return found
  }
  return {list, sizes}
}

const references = (...seconds: number[]) => seconds.map(second => `R-${9999 - second}`)
const ALL = references(...Array.from({length: 1200}, (_, second) => second))

test('orders in another order are each there once, whatever is submitted meanwhile', async () => {
  const order = {field: 'reference', descending: false} as const
  expect(await createOrderShop().list({order})).toEqual(ALL.toReversed())
  expect(await createOrderShop().list({order: {...order, descending: true}})).toEqual(ALL)
})

test('a condition is asked of every order, until as many are found as are wanted', async () => {
  const matches = ({status}: Record<string, unknown>) => status === 'on_hold'
  const {list, sizes} = createOrderShop()
  expect(await list({matches, limit: 3})).toEqual(references(800, 400, 0))
  expect(sizes).toEqual([500, 500, 500])
  expect(await createOrderShop().list({matches, limit: 2})).toEqual(references(800, 400))
})

test('a limit above a page is that many orders, and one below it is one page of its size', async () => {
  const {list, sizes} = createOrderShop()
  expect(await list({limit: 700})).toEqual(ALL.toReversed().slice(0, 700))
  expect(sizes).toEqual([500, 500])
  const small = createOrderShop()
  expect(await small.list({limit: 3})).toEqual(ALL.toReversed().slice(0, 3))
  expect(small.sizes).toEqual([3])
})

test('the first moment of a span belongs to it, and its last one does not', async () => {
  const span = {since: new Date(at(1)), until: new Date(at(4))}
  expect(await createOrderShop().list(span)).toEqual(references(3, 2, 1))
})
