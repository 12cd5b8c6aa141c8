import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {signedInTo} from '../../support/customer-pages.js'
import {temporaryFolder} from '../../support/home.js'
import {errorBody, orderOf, orderShop, ordersOf} from '../../support/order-shop.js'
import {storectl} from '../../support/storectl.js'

/** A shop that refuses one order until it is told otherwise, and a file with five. */
async function stopped(words: string[] = [], content?: string) {
  let refused = 'R-2'
  const body = errorBody('400', 'FULFILLMENT__INVALID_FIELD', 'no')
  const shop = await orderShop({
    instead: reference => (reference === refused ? {status: 400, body} : undefined),
  })
  const home = temporaryFolder()
  const file = join(home, 'orders')
  writeFileSync(file, content ?? JSON.stringify(ordersOf(5)))
  const given = {env: signedInTo(shop.url), home}
  const run = (argv: string[], more: object = {}) =>
    storectl(argv[1] === 'list' ? argv : [...argv, '--yes'], {...given, ...more})
  const submit = ['order', 'submit', file, '--stop-on-error', '--concurrency', '1', '--rate', '50', ...words]
  const first = await run(submit)
  const take = () => {
    refused = ''
  }
  return {shop, home, file, first, run, take}
}

const statuses = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => line.split('\t').slice(0, 2).join(' '))

test('what was not sent is sent by carrying on, as it was begun, and every order has its row', async () => {
  const {shop, first, run, take} = await stopped()
  expect([first.exit, shop.sent()]).toEqual([7, ['R-1', 'R-2']])
  const [, id] = /to resume: storectl run resume (\w+)/.exec(first.stderr) ?? []
  expect(first.stderr).toMatch(new RegExp(`storectl run resume ${id}$`, 'm'))
  const unknown = await run(['run', 'resume', 'last', '--fields', 'refrence'])
  expect([unknown.exit, shop.sent()]).toEqual([2, ['R-1', 'R-2']])
  expect(unknown.stderr).toContain('unknown field "refrence". Did you mean "reference"?')
  const again = await run(['run', 'resume', 'last'])
  expect(again.exit, again.stderr).toBe(7)
  expect(statuses(again.stdout)).toEqual([
    'R-1 exists',
    'R-2 rejected',
    'R-3 not-sent',
    'R-4 not-sent',
    'R-5 not-sent',
  ])
  take()
  const last = await run(['run', 'resume', id as string])
  expect(last.exit, last.stderr).toBe(0)
  expect(shop.sent().slice(3)).toEqual(['R-2', 'R-3', 'R-4', 'R-5'])
  const runs = JSON.parse((await run(['run', 'list', '-o', 'json'])).stdout)
  expect(runs.map(({continues}: {continues: string}) => continues)).toEqual([id, id, null])
})

test('a file that was changed is refused before anything is sent, whatever is in it', async () => {
  const {shop, file, run} = await stopped()
  const before = shop.received.length
  for (const content of [JSON.stringify(ordersOf(6)), '[{"reference": "x y"}]']) {
    writeFileSync(file, content)
    const {exit, stderr} = await run(['run', 'resume', 'last'])
    expect(exit).toBe(2)
    expect(stderr).toContain(`${file} was changed since the run began`)
    expect(stderr).toContain(`storectl order submit ${file}`)
  }
  expect(shop.received).toHaveLength(before)
})

test('orders that came through a pipe have to be given again', async () => {
  const {shop, run} = await stopped()
  const piped = await run(['order', 'submit', '-', '--stop-on-error', '--concurrency', '1'], {
    stdin: JSON.stringify(ordersOf(5)),
  })
  expect(piped.stderr).toContain('to resume: the same command with the same orders')
  const before = shop.received.length
  const {exit, stderr} = await run(['run', 'resume', 'last'])
  expect(exit).toBe(2)
  expect(stderr).toContain('read its orders from stdin, which cannot be read again')
  expect(shop.received).toHaveLength(before)
})

test('another shop is not taken for the one that the run was for', async () => {
  const {shop, run} = await stopped()
  const other = await orderShop()
  const {exit, stderr} = await run(['run', 'resume', 'last'], {env: signedInTo(other.url)})
  expect([exit, other.received]).toEqual([2, []])
  expect(stderr).toContain('another shop is chosen')
  expect(stderr).toContain(`--url ${shop.url}`)
})

test('columns, settings and files of the first time hold for carrying on', async () => {
  const table = `No.;shipTo.name;shipTo.street;shipTo.postalCode;shipTo.city;line.sku;line.quantity
${[1, 2, 3].map(at => `R-${at};Ada;Weg 1;01067;Dresden;X;1`).join('\n')}
`
  const home = temporaryFolder()
  const names = {rejects: join(home, 'r.csv'), report: join(home, 'report.ndjson')}
  const words = ['--map', 'No.=reference', '--set', 'shipTo.country=DE', '--rejects', names.rejects]
  const {shop, first, run, take} = await stopped([...words, '--report', names.report], table)
  expect(first.exit, first.stderr).toBe(7)
  writeFileSync(names.rejects, 'mended by hand')
  expect((await run(['run', 'resume', 'last'])).exit).toBe(2)
  expect(readFileSync(names.rejects, 'utf8')).toBe('mended by hand')
  take()
  const {exit, stderr} = await run(['run', 'resume', 'last', '--force'])
  expect(exit, stderr).toBe(0)
  expect(shop.orders.get('R-3')).toMatchObject({shipTo: {country: 'DE'}})
  expect(readFileSync(names.report, 'utf8').trimEnd().split('\n')).toHaveLength(3)
  expect(existsSync(names.rejects)).toBe(true)
})

test('a file that is gone is named', async () => {
  const {file, run} = await stopped([], JSON.stringify(orderOf('R-2')))
  const {rm} = await import('node:fs/promises')
  await rm(file)
  const {exit, stderr} = await run(['run', 'resume', 'last'])
  expect(exit).toBe(2)
  expect(stderr).toContain(`File not found: ${file}`)
})
