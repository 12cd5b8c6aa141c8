import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {customerRow, customerShop, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder, warmHome} from '../../support/home.js'
import {ended, startProcess} from '../../support/process.js'
import {everyNth} from '../../support/sized.js'
import {until} from '../../support/until.js'

const people = Array.from({length: 3000}, (_, at) => customerRow(at + 1, {company: 'x'.repeat(200)}))

function searching(url: string, argv: string[]) {
  return startProcess(['customer', 'search', ...argv], {
    env: {...signedInTo(url), STORECTL_HOME: warmHome()},
  })
}

const SORTS = [
  [],
  ['--page-size', '3'],
  ['--sort', 'createdAt:desc'],
  ['--sort=lastName', '--page-size', '3'],
]

/** In `npm test` each format with every other way to sort, and each way to sort with every other format. */
const TAKEN = ['json', 'ndjson', 'csv', 'tsv', 'yaml', 'id'].flatMap((format, row) =>
  everyNth(2, SORTS, row).map(sort => [format, sort] as const),
)

test.each(TAKEN)('a reader of %s that takes one line costs two pages at most, %j', async (format, sort) => {
  let noteClosed = () => {}
  const closed = new Promise<void>(resolve => {
    noteClosed = resolve
  })
  const answer = customerShop(() => people)
  let pages = 0
  const shop = await endpoint(async (request, count) => {
    // The second page comes when the reader of the first has gone.
    if (request.url === '/api/search/customer' && ++pages > 1) await closed
    return answer(request, count)
  })
  const child = searching(shop.url, ['--all', '-o', format, ...sort])
  child.stdout?.once('close', noteClosed)
  child.stdout?.once('data', () => child.stdout?.destroy())
  const {exit, stderr} = await ended(child)
  await closed
  expect([exit, stderr]).toEqual([0, ''])
  expect(pages).toBeLessThanOrEqual(2)
})

test('a sorted search goes on to the end for a reader who stays', async () => {
  const shop = await endpoint(customerShop(() => people))
  const {exit, stdout, stderr} = await ended(searching(shop.url, ['--all', '-o', 'id', '--sort', 'email']))
  expect([exit, stderr]).toEqual([0, ''])
  expect(stdout).toBe(people.map(({id}) => `${id}\n`).join(''))
})

test('Ctrl-C ends it with 130, whole rows, and how many there were', async () => {
  const answer = customerShop(() => people)
  const shop = await endpoint((request, count) => (count > 2 ? {silence: true} : answer(request, count)))
  const child = searching(shop.url, ['--all', '-o', 'ndjson'])
  const end = ended(child)
  await until('the shop is asked three times', () => shop.received.length >= 3)
  child.kill('SIGINT')
  const {exit, stdout, stderr} = await end
  expect([exit, stderr]).toEqual([130, 'Stopped; 1000 customers were printed before that.\n'])
  const rows = stdout.split('\n')
  expect(rows.pop()).toBe('')
  expect(rows.map(row => JSON.parse(row).autoIncrement)).toEqual(
    people.slice(0, 1000).map(row => row.autoIncrement),
  )
})

test('Ctrl-C while a file is written leaves none, not even a part of it', async () => {
  const answer = customerShop(() => people)
  const shop = await endpoint((request, count) => (count > 2 ? {silence: true} : answer(request, count)))
  const folder = temporaryFolder()
  const file = join(folder, 'customers.csv')
  writeFileSync(join(folder, 'old.csv'), 'old')
  for (const [name, more] of [
    ['customers.csv', []],
    ['old.csv', ['--force']],
  ] as const) {
    const before = shop.received.length
    const child = searching(shop.url, ['--all', '--out', join(folder, name), ...more])
    const end = ended(child)
    const asked = Math.max(before + 1, 3)
    await until(`the shop is asked ${asked} times`, () => shop.received.length >= asked)
    child.kill('SIGINT')
    const {exit, stdout, stderr} = await end
    expect({exit, stdout, stderr}).toEqual({
      exit: 130,
      stdout: '',
      stderr: `Stopped; ${join(folder, name)} was not written.\n`,
    })
  }
  expect(existsSync(file)).toBe(false)
  expect(readdirSync(folder)).toEqual(['old.csv'])
  expect(readFileSync(join(folder, 'old.csv'), 'utf8')).toBe('old')
})
