import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {homeWithShop, putShop} from '../support/prepared-shop.js'
import {storectl} from '../support/storectl.js'

const home = mkdtempSync(join(tmpdir(), 'storectl-'))
afterAll(() => rmSync(home, {recursive: true, force: true}))
beforeAll(async () => {
  await putShop(home)
  await storectl(['server', 'seed', '--orders', '0', '--customers', '5', '--payments', '20'], {home})
})

const NO_CHANNEL = 'f'.repeat(32)

test('payments are listed by time and sales channel', async () => {
  const list = async (...words: string[]) =>
    (await storectl(['payment', 'list', '--all', '-o', 'id', ...words], {home})).stdout
  expect(await list()).not.toBe('')
  expect(await list('--since', '2100-01-01T00:00:00Z')).toBe('')
  expect(await list('--until', '2000-01-01T00:00:00Z')).toBe('')
  expect(await list('--sales-channel', NO_CHANNEL)).toBe('')
  expect(await list('--where', 'amount < 0')).toBe('')
})

test('payments are compared since a time, until a time and of a sales channel', async () => {
  const compared = async (...words: string[]) => {
    const {stderr} = await storectl(['payment', 'reconcile', ...words], {home})
    return Number(/^(\d+) payments? compared/m.exec(stderr)?.[1] ?? 0)
  }
  const week = await compared()
  expect(week).toBeGreaterThan(0)
  expect(await compared('--since', '2100-01-01T00:00:00Z')).toBe(0)
  expect(await compared('--until', '3d')).toBeLessThan(week)
  expect(await compared('--sales-channel', NO_CHANNEL)).toBe(0)
})

test('server seed --report-lag keeps payments out of the report', async () => {
  const lagging = await homeWithShop()
  const words = ['--orders', '0', '--customers', '5', '--payments', '20', '--report-lag', '60d']
  await storectl(['server', 'seed', ...words], {home: lagging})
  const {stderr} = await storectl(['payment', 'reconcile'], {home: lagging})
  expect(stderr).toContain('compared with 0 movements')
})

const validate = (stdin: string, ...words: string[]) =>
  storectl(['order', 'validate', '-', ...words], {stdin})

test('order validate --map names a column', async () => {
  const csv =
    'No,shipTo.name,shipTo.street,shipTo.postalCode,shipTo.city,shipTo.country,line.sku,line.quantity\nA-1,Ada,Weg 1,01067,Dresden,DE,X,2\n'
  expect((await validate(csv)).exit).toBe(2)
  expect((await validate(csv, '--map', 'No=reference')).exit).toBe(0)
})

test('order validate --encoding reads what is neither UTF-8 nor UTF-16', async () => {
  const order = {reference: 'A-1', lines: [{sku: 'X', quantity: 2}]}
  const shipTo = {name: 'Jörg', street: 'Weg 1', postalCode: '01067', city: 'Dresden', country: 'XX'}
  const file = join(temporaryFolder(), 'o.json')
  writeFileSync(file, JSON.stringify({...order, shipTo: {...shipTo, country: 'Österreich'}}), 'latin1')
  const run = (...words: string[]) => storectl(['order', 'validate', file, ...words])
  expect((await run()).stderr).toContain('--encoding windows-1252 (reads "Jörg")')
  expect((await run('--encoding', 'latin1')).stdout).toContain('did you mean AT? (got "Österreich")')
  expect((await run('--encoding', 'ebcdic')).stderr).toContain(
    '"ebcdic" is not an encoding that storectl can read.',
  )
})

const SHAPED = `Orders of May
reference;shipTo.name;shipTo.street;shipTo.postalCode;shipTo.city;shipTo.country;line.sku;line.quantity;line.unitPrice.amount;line.unitPrice.currency
A-1;Ada;Weg 1;01067;Dresden;DE;X;2;1.234,50 €;EUR
`

test('order validate --skip-rows skips the lines above a header, --decimal reads its numbers', async () => {
  const words = ['--skip-rows', '1', '--decimal', 'comma']
  expect((await validate(SHAPED, ...words)).exit).toBe(0)
  expect((await validate(SHAPED, ...words.slice(0, 2))).exit).toBe(2)
  expect((await validate(SHAPED, ...words.slice(2))).exit).toBe(2)
})

test('order template --map-from prints a mapping for --map @FILE, or an example without it', async () => {
  const folder = mkdtempSync(join(home, 'map-'))
  const file = join(folder, 'export.csv')
  writeFileSync(file, 'Reference;City\nA;Dresden\n')
  const {stdout, stderr} = await storectl(['order', 'template', '--map-from', file])
  expect(JSON.parse(stdout)).toEqual({Reference: 'reference', City: 'shipTo.city'})
  expect(stderr).toContain('Header: similar names.')
  expect((await storectl(['order', 'template'])).stdout).toMatch(/^reference,/)
})

test('order validate --raw looks at the reference alone, --schema at what the schema says', async () => {
  const odd = JSON.stringify({reference: 'A-1', unheardOf: true})
  expect((await validate(odd)).exit).toBe(2)
  expect((await validate(odd, '--raw')).exit).toBe(0)
  const schema = join(temporaryFolder(), 'schema.json')
  writeFileSync(schema, JSON.stringify({type: 'object', required: ['reference']}))
  expect((await validate(odd, '--schema', schema)).exit).toBe(0)
})
