import {expect, test} from 'vitest'
import {signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {orderOf, ordersOf} from '../../support/order-shop.js'
import {storectl} from '../../support/storectl.js'

const lines = (text: string) => text.trimEnd().split('\n').filter(Boolean)

test('the newest orders come first, narrowed by the beginning of the reference, state and time', async () => {
  const home = temporaryFolder()
  const stdin = JSON.stringify([...ordersOf(3), orderOf('WEB-1', {hold: true})])
  // No two in the same millisecond, which would have no order.
  const apart = ['--concurrency', '1', '--rate', '100']
  const submit = ['order', 'submit', '-', '--yes', '--profile', 'local', ...apart]
  const submitted = await storectl(submit, {home, stdin})
  expect(submitted.exit, submitted.stderr).toBe(0)
  const list = async (...words: string[]) =>
    lines((await storectl(['order', 'list', '-o', 'id', ...words], {home})).stdout)
  expect(await list()).toEqual(['WEB-1', 'R-3', 'R-2', 'R-1'])
  expect(await list('--reference', 'WEB-')).toEqual(['WEB-1'])
  expect(await list('--status', 'on_hold')).toEqual(['WEB-1'])
  expect(await list('--limit', '2')).toEqual(['WEB-1', 'R-3'])
  expect(await list('--since', '1h')).toHaveLength(4)
  expect(await list('--since', '2100-01-01T00:00:00Z')).toEqual([])
  expect(await list('--until', '1h')).toEqual([])
  expect(await list('--sort', 'reference')).toEqual(['R-1', 'R-2', 'R-3', 'WEB-1'])
  expect(await list('--sort', 'reference:desc', '--limit', '2')).toEqual(['WEB-1', 'R-3'])
  expect(await list('--where', 'hold = true or reference ends "2"')).toEqual(['WEB-1', 'R-2'])
  expect(await list('--where', 'shipTo.country != "DE"')).toEqual([])
  expect(await list('--where', 'createdAt > 2100-01-01T00:00:00Z')).toEqual([])
  for (const words of [
    ['--sort', 'shipTo'],
    ['--where', 'zip = "1"'],
  ])
    expect((await storectl(['order', 'list', ...words], {home})).exit, words.join(' ')).toBe(2)
  const header = async (...words: string[]) =>
    (await storectl(['order', 'list', '-o', 'csv', '--limit', '1', ...words], {home})).stdout.split(
      /\r?\n/,
      1,
    )[0]
  expect(await header()).toBe('reference,status,createdAt,orderNumber,shipTo.name,shipTo.country,id')
  const fields = 'orderNumber,shipNotBefore,hold,fillPolicy,note,customFields,updatedAt'
  expect(await header('--fields', fields)).toBe(fields)
  const shown = await storectl(['order', 'show', 'WEB-1', '-o', 'csv'], {home})
  expect(shown.stdout.split(/\r?\n/, 1)).toEqual([
    'reference,id,status,createdAt,orderNumber,orderDate,shipTo,lines,shippingMethod,shipNotBefore,hold,fillPolicy,note,customFields',
  ])
  const none = await storectl(['order', 'list', '--reference', 'X', '--fail-if-empty'], {home})
  expect(none.exit).toBe(9)
  expect(none.stderr).toMatch(/^No such fulfillment orders at /)
})

test.each([[[]], [['--sort', 'createdAt:desc']]])(
  'pages follow each other, and what is submitted meanwhile moves none of them: %s',
  async sort => {
    const all = Array.from({length: 1200}, (_, at) => ({
      id: String(at).padStart(32, '0'),
      reference: `R-${at}`,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(),
    }))
    const shop = await endpoint(({body}) => {
      const {filter, page, limit} = JSON.parse(body)
      const upTo = filter.find(({type}: {type: string}) => type === 'range')?.parameters.lte ?? '9'
      all.push({
        ...(all[0] as (typeof all)[number]),
        reference: `new-${page}`,
        createdAt: '2027-01-01T00:00:00.000Z',
      })
      const data = all
        .filter(({createdAt}) => createdAt <= upTo && (page > 1 || createdAt < '2027'))
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
        .slice((page - 1) * limit, page * limit)
      return {body: {total: data.length, data, aggregations: []}}
    })
    const {exit, stdout} = await storectl(['order', 'list', '--all', '-o', 'id', ...sort], {
      env: signedInTo(shop.url),
    })
    expect(exit).toBe(0)
    expect(lines(stdout)).toEqual(Array.from({length: 1200}, (_, at) => `R-${1199 - at}`))
  },
)

test('a shop that cannot be asked says so', async () => {
  const shop = await endpoint(() => ({
    status: 404,
    body: {errors: [{status: '404', code: '0', title: 'No'}]},
  }))
  const {exit, stderr} = await storectl(['order', 'list'], {env: signedInTo(shop.url)})
  expect([exit, stderr]).toEqual([2, expect.stringContaining('cannot list submitted orders')])
})
