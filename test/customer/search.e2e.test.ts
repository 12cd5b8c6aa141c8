import {expect, test} from 'vitest'
import {customerRow, customerShop, signedInTo} from '../support/customer-pages.js'
import {endpoint} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {ended, startProcess} from '../support/process.js'

const people = Array.from({length: 3000}, (_, at) => customerRow(at + 1, {company: 'x'.repeat(200)}))

function searching(url: string, argv: string[]) {
  return startProcess(['customer', 'search', ...argv], {
    env: {...signedInTo(url), STORECTL_HOME: temporaryFolder()},
  })
}

test.each(['ndjson', 'id', 'tsv'])(
  'a reader of %s that takes one line costs two requests at most',
  async format => {
    const shop = await endpoint(customerShop(() => people))
    const child = searching(shop.url, ['--all', '-o', format])
    const closed = new Promise(resolve => child.stdout?.once('close', resolve))
    child.stdout?.once('data', () => child.stdout?.destroy())
    const {exit, stderr} = await ended(child)
    await closed
    expect([exit, stderr]).toEqual([0, ''])
    expect(shop.received.length).toBeLessThanOrEqual(2)
  },
)

test('Ctrl-C ends it with 130 and whole rows', async () => {
  const answer = customerShop(() => people)
  const shop = await endpoint((request, count) => (count > 2 ? {silence: true} : answer(request, count)))
  const child = searching(shop.url, ['--all', '-o', 'ndjson'])
  const end = ended(child)
  while (shop.received.length < 3) {
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  }
  child.kill('SIGINT')
  const {exit, stdout} = await end
  expect(exit).toBe(130)
  const rows = stdout.split('\n')
  expect(rows.pop()).toBe('')
  expect(rows.map(row => JSON.parse(row).autoIncrement)).toEqual(
    people.slice(0, 1000).map(row => row.autoIncrement),
  )
})
