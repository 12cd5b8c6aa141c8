import {expect, test} from 'vitest'
import {criteriaIn, customerRow, listing, signedInTo} from '../support/customer-pages.js'
import {endpoint} from '../support/endpoint.js'
import {sized} from '../support/sized.js'
import {storectl} from '../support/storectl.js'

const CUSTOMERS = sized(5000, 20_000)

type Sorted = {
  ids?: string[]
  limit?: number
  page?: number
  sort?: {field: string; order: string}[]
  filter?: object[]
}
type Person = ReturnType<typeof customerRow>

/** By name, which has nothing to do with the order in which they were made. */
const named = (at: number) => customerRow(at, {lastName: String((at * 7919) % 100_003).padStart(6, '0')})
const start = Array.from({length: CUSTOMERS}, (_, at) => named(at + 1))
const byName = (a: Person, b: Person) => Number(a.lastName) - Number(b.lastName)
const byAge = (a: Person, b: Person) => a.autoIncrement - b.autoIncrement

/** Every second one stays; between two requests hundreds of the others go, in the order asked for, and a few come. */
async function changingShop() {
  let rows = start
  let made = 100_000
  const change = (order: typeof byName) => {
    const going = new Set(
      rows
        .filter(({autoIncrement}) => autoIncrement % 2 === 1)
        .sort(order)
        .slice(0, 400),
    )
    rows = [...rows.filter(row => !going.has(row)), ...[1, 2, 3].map(() => named(++made))]
  }
  const shop = await endpoint(request => {
    if (request.method === 'GET') return {status: 404}
    const {ids, limit = 500, page = 1, sort = [], filter = []} = criteriaIn(request) as Sorted
    const order = sort[0]?.field === 'lastName' ? byName : byAge
    const [beyond] = filter as {parameters: {gt: number}}[]
    const found = rows.filter(row => row.autoIncrement > (beyond?.parameters.gt ?? 0))
    const wanted = ids && new Set(ids)
    const some = wanted ? found.filter(row => wanted.has(row.id)) : found
    const inOrder =
      ids && sort.length === 0 ? ids.flatMap(id => some.find(row => row.id === id) ?? []) : some.sort(order)
    const data = ids ? inOrder : inOrder.slice((page - 1) * limit, page * limit)
    change(order)
    return {body: listing(request.url.includes('/search-ids/') ? data.map(({id}) => id) : data)}
  })
  return {url: shop.url, gone: () => start.length - rows.filter(row => row.autoIncrement <= CUSTOMERS).length}
}

test.each([
  ['in the order in which they were made', []],
  ['sorted', ['--sort', 'lastName']],
])(
  'whoever stays is found exactly once while half of all go and others come, %s',
  async (_, sort) => {
    const shop = await changingShop()
    const {stdout, stderr, exit} = await storectl(['customer', 'search', '--all', '-o', 'id', ...sort], {
      env: signedInTo(shop.url),
    })
    expect([exit, stderr]).toEqual([0, ''])
    expect(shop.gone()).toBe(CUSTOMERS / 2)
    const ids = stdout.trimEnd().split('\n')
    expect(new Set(ids).size).toBe(ids.length)
    const stayed = start.filter(({autoIncrement}) => autoIncrement % 2 === 0)
    const position = new Map(ids.map((id, at) => [id, at]))
    expect(stayed.filter(({id}) => !position.has(id))).toEqual([])
    const inOrder = [...stayed]
      .sort(sort.length > 0 ? byName : byAge)
      .map(({id}) => position.get(id) as number)
    expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b))
  },
  60_000,
)

test('a page of ids that have all gone does not hide those after it', async () => {
  const five = [1, 2, 3, 4, 5].map(at => named(at))
  const shop = await endpoint(({url, body}) => {
    if (url.includes('/search-ids/')) return {body: listing(five.map(({id}) => id))}
    const {ids} = JSON.parse(body) as {ids: string[]}
    return {body: listing(five.slice(2).filter(({id}) => ids.includes(id)))}
  })
  const words = ['customer', 'search', '--all', '--sort', 'lastName', '--page-size', '2', '-o', 'id']
  const {stdout} = await storectl(words, {env: signedInTo(shop.url)})
  expect(stdout.trimEnd().split('\n')).toEqual(five.slice(2).map(({id}) => id))
})
