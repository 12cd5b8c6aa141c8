import {expect, test} from 'vitest'
import {parseMoment} from '../../src/language/quantities.js'
import {customerRow, customerShop, signedInTo} from '../support/customer-pages.js'
import {endpoint} from '../support/endpoint.js'
import {storectl} from '../support/storectl.js'

const requestOf = async (...words: string[]) => {
  const {stdout, stderr} = await storectl(['customer', 'search', ...words, '--show-request'])
  return stdout === '' ? stderr : JSON.stringify(JSON.parse(stdout).body.filter)
}

test('country, city and zip are fields of --where, and a field may be null or not', async () => {
  expect(await requestOf('--where', 'country = "DE"')).toContain(
    '"field":"defaultBillingAddress.country.iso","value":"DE"',
  )
  expect(await requestOf('--where', 'zip starts "10"')).toContain('"field":"defaultBillingAddress.zipcode"')
  const equals = '{"type":"equals","field":"company","value":null}'
  expect(await requestOf('--where', 'company is null')).toBe(`[${equals}]`)
  expect(await requestOf('--where', 'company is not null')).toContain(`"queries":[${equals}]`)
  expect(await requestOf('--where', 'company is "x"')).toContain('expected null, got "x".')
})

test('an unknown field is refused with the command that lists fields', async () => {
  expect(await requestOf('--where', 'colour = 1')).toContain('List fields: storectl customer fields')
  for (const words of [
    ['--where', 'colour = 1'],
    ['--fields', 'id,colour'],
  ]) {
    const {exit, stderr} = await storectl(['webhook', 'list', ...words])
    expect(exit).toBe(2)
    expect(stderr).toContain('unknown field "colour"')
    expect(stderr).toContain('storectl webhook list --limit 1 -o json')
  }
})

test('a file after -o is answered with what to write instead', async () => {
  const {exit, stderr} = await storectl(['customer', 'search', '-o', 'vips.csv'])
  expect(exit).toBe(2)
  expect(stderr).toContain('write: -o csv > vips.csv')
})

test.each([
  [['-o', 'jsonl'], '"jsonl" is called "ndjson" here.', '-o ndjson'],
  [['-o', 'vips.yml'], 'expected a format, not the file "vips.yml".', 'write: -o yaml > vips.yml'],
  [['--format', 'json'], 'Unknown flag --format for "webhook list". Did you mean "--output"?', '--help'],
  [['--profile', ''], '--profile: the name is empty, as that of a variable that is not set.', 'profile list'],
  [['--since', '3h', '--until', '5h'], 'nothing is between them.', '--since 5h --until 3h'],
])('%j is answered with what was meant', async (words, message, next) => {
  const {exit, stderr} = await storectl(['webhook', 'list', ...words])
  expect(exit).toBe(2)
  expect(stderr).toContain(message)
  expect(stderr).toContain(next)
})

test('times of any name must be in order, and one alone is no range', async () => {
  const since = ['--created-since', '1h']
  for (const until of ['1h', '2h', '2020-01-01'])
    expect((await storectl(['customer', 'search', ...since, '--created-until', until])).exit).toBe(2)
  expect(await requestOf(...since, '--created-until', '30m')).toContain('createdAt')
  expect(await requestOf(...since, '--last-order-until', '2h')).toContain('createdAt')
})

test('a list without a limit has as many rows as fit on the terminal', async () => {
  const rows = Array.from({length: 60}, (_, at) => customerRow(at + 1))
  const shop = await endpoint(customerShop(() => rows))
  const countRows = async (argv: string[], height: number) => {
    const options = {env: signedInTo(shop.url), terminal: true, columns: 120, rows: height}
    const {stdout} = await storectl(['customer', 'search', '--no-pager', ...argv], options)
    return stdout.split('\n').filter(line => /@/.test(line)).length
  }
  expect(await countRows([], 50)).toBe(46)
  expect(await countRows([], 6)).toBe(10)
  expect(await countRows(['--limit', '3'], 50)).toBe(3)
  expect(await countRows(['-o', 'csv'], 50)).toBe(25)
})

test('dates without a zone are local, and echoed with their offset', async () => {
  const now = new Date(2026, 10, 23, 12, 0, 0)
  expect(parseMoment('2026-11-20')(now)).toEqual(new Date(2026, 10, 20))
  expect(parseMoment('2026-11-20T09:30')(now)).toEqual(new Date(2026, 10, 20, 9, 30))
  expect(parseMoment('09:00')(now)).toEqual(new Date(2026, 10, 23, 9))
  expect(parseMoment('22:00')(now)).toEqual(new Date(2026, 10, 22, 22))
  expect(parseMoment('yesterday')(now)).toEqual(new Date(2026, 10, 22))
  for (const wrong of ['25:00', '2026-02-30', 'tomorrow', ''])
    expect(() => parseMoment(wrong)).toThrow('Invalid time')
  const {stderr} = await storectl(['customer', 'search', '--created-since', '2026-11-20', '--show-request'])
  expect(stderr).toMatch(/^--created-since 2026-11-20: 2026-11-20 00:00:00 [+-]\d\d:\d\d\n/)
})
