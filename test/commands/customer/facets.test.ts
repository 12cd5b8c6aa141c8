import {expect, test} from 'vitest'
import {signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {storectl} from '../../support/storectl.js'

/** A shop that counts so, whatever it is asked. */
async function counted(argv: string[], buckets: readonly object[], options: object = {}) {
  const body = JSON.stringify({total: 0, data: [], aggregations: {facet0: {name: 'facet0', buckets}}})
  const shop = await endpoint(() => ({body}))
  return storectl(['customer', 'search', '--facet', ...argv], {env: signedInTo(shop.url), ...options})
}

const made = [
  {key: '2024-01-01 00:00:00.000', count: 2},
  {key: '', count: 1},
]

test('times that customers are counted by say that they are UTC, and a terminal shows local ones', async () => {
  const first = async (format: string) => (await counted(['createdAt', '-o', format], made)).stdout
  expect(JSON.parse(await first('json'))[0].value).toBe('2024-01-01T00:00:00.000Z')
  expect(await first('csv')).toBe(
    'facet,value,count\r\ncreatedAt,2024-01-01T00:00:00.000Z,2\r\ncreatedAt,,1\r\n',
  )
  expect(await first('yaml')).toContain('value: "2024-01-01T00:00:00.000Z"\n')
  const {stdout} = await counted(['createdAt'], made, {terminal: true, columns: 100})
  expect(stdout).toMatch(/createdAt +20\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d +2 /)
})

test('days that they are counted by are days, and what is no time stays as the shop has it', async () => {
  const values = async (field: string, keys: string[]) => {
    const {stdout} = await counted(
      [field, '-o', 'json'],
      keys.map(key => ({key, count: 1})),
    )
    return JSON.parse(stdout).map(({value}: {value: unknown}) => value)
  }
  expect(await values('birthday', ['1815-12-10 00:00:00.000', '1815-12-11'])).toEqual([
    '1815-12-10',
    '1815-12-11',
  ])
  expect(await values('lastOrderDate', ['0000-00-00 00:00:00', 'x'])).toEqual(['0000-00-00 00:00:00', 'x'])
  expect(await values('lastOrderDate', ['2024-01-01T02:00:00.000+02:00'])).toEqual([
    '2024-01-01T00:00:00.000Z',
  ])
})

test('--fields chooses among the columns of counts', async () => {
  const {exit, stdout} = await counted(['city', '--fields', 'count,value'], [{key: 'Bonn', count: 3}])
  expect([exit, stdout]).toEqual([0, 'count\tvalue\n3\tBonn\n'])
})
