import type {Handler, Received} from './endpoint.js'

/** A customer as short as tests need one, its members in the shop's order. */
export function customerRow(autoIncrement: number, more: object = {}) {
  const number = String(10_000 + autoIncrement)
  return {
    extensions: {foreignKeys: {extensions: [], apiAlias: 'customer_foreign_keys_extension'}},
    customerNumber: number,
    firstName: 'Ada',
    lastName: `Byron ${autoIncrement}`,
    email: `ada${autoIncrement}@example.test`,
    company: null,
    active: true,
    createdAt: '2024-10-24T21:30:46.123+00:00',
    autoIncrement,
    customFields: {},
    id: autoIncrement.toString(16).padStart(32, '0'),
    apiAlias: 'customer',
    ...more,
  }
}

type CustomerRow = ReturnType<typeof customerRow>

/** Answers searches over customers that may change meanwhile: filters by `autoIncrement` and `ids` alone. */
export function customerShop(rows: () => readonly CustomerRow[]): Handler {
  return request => {
    if (request.method === 'GET') return {status: 404}
    const {limit = 500, page = 1, filter = [], ids} = criteriaIn(request)
    const beyond = filter.find(each => each.field === 'autoIncrement')?.parameters.gt ?? 0
    const found = rows().filter(row => row.autoIncrement > beyond)
    const some = ids
      ? ids.flatMap(id => found.filter(row => row.id === id))
      : found.slice((page - 1) * limit, page * limit)
    const isIds = request.url.includes('/search-ids/')
    const data = isIds ? some.map(row => row.id) : some
    return {headers: {'content-type': 'application/json'}, body: listing(data)}
  }
}

/** The body of a listing as the shop writes it, slashes escaped. */
export function listing(data: readonly unknown[], total = data.length): string {
  return JSON.stringify({total, data, aggregations: []}).replaceAll('/', '\\/')
}

interface TestCriteria {
  limit?: number
  page?: number
  ids?: string[]
  filter?: {field?: string; parameters: {gt: number}}[]
}

export function criteriaIn(request: Received): TestCriteria {
  return JSON.parse(request.body)
}

/** The environment of a command that talks to `url` with a token of its own. */
export function signedInTo(url: string) {
  return {STORECTL_URL: url, STORECTL_TOKEN: 'a.test.token'}
}
