import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {createShopKeeper} from '../../src/cli/keep-shop.js'
import {rewriteCommandLine} from '../../src/flags/command-line.js'
import {runFlags} from '../../src/flags/global-flags.js'
import {replayFlags} from '../../src/flags/replay-flags.js'
import {temporaryFolder} from '../support/home.js'
import {manifest} from '../support/manifest.js'
import {homeWithShop} from '../support/prepared-shop.js'
import {storectl} from '../support/storectl.js'
import {bareNdjson, event} from '../webhook/support.js'

const IDS = Object.keys(manifest.commands)
const keep = createShopKeeper({profile: 'staging'}, () => IDS) as (text: string) => string

test.each([
  ['storectl webhook list', 'storectl webhook list --profile staging'],
  ['storectl run resume last', 'storectl run resume --profile staging last'],
  ['storectl customer show ada', 'storectl customer show --profile staging ada'],
  [
    'storectl api GET /api/x, then storectl doctor',
    'storectl api --profile staging GET /api/x, then storectl doctor --profile staging',
  ],
  ['not asked: storectl webhook verify.', 'not asked: storectl webhook verify --profile staging.'],
  ['storectl auth status   # which URL', 'storectl auth status --profile staging   # which URL'],
  ['a\nstorectl doctor\nb', 'a\nstorectl doctor --profile staging\nb'],
])('a printed command keeps the shop: %j', (text, kept) => {
  expect(keep(text)).toBe(kept)
})

test.each([
  'storectl webhook register --profile other',
  'storectl webhook list --url https://shop.example',
  'storectl login --profile NAME',
  'storectl profile set NAME --provider NAME',
  'storectl config list',
  'storectl server start',
  'storectl order template csv   (every column)',
  'storectl webhook import --help   (lists the formats)',
  'storectl is not running',
  'storectl help environment',
])('what names a shop, or needs none, stays: %j', text => {
  expect(keep(text)).toBe(text)
})

test('address, authority and records are kept too, quoted', () => {
  const flags = {url: 'https://shop.example', 'ca-file': "o'r.pem", database: 'postgres://me@db/x'}
  const all = createShopKeeper(flags, () => IDS) as (text: string) => string
  expect(all('storectl run show 1')).toBe(
    `storectl run show --url https://shop.example --ca-file 'o'\\''r.pem' --database postgres://me@db/x 1`,
  )
  expect(all('storectl run show 1 --profile b')).toBe(
    `storectl run show --ca-file 'o'\\''r.pem' --database postgres://me@db/x 1 --profile b`,
  )
})

test('nothing is added where no shop was typed', () => {
  expect(createShopKeeper({}, () => IDS)).toBeUndefined()
})

/** Commands that print others, each in another way: errors, notes, rows, records, plans. */
const PRINTING = [
  ['webhook', 'show', 'WH-none'],
  ['webhook', 'show', 'WH-none', '--json'],
  ['run', 'show', 'last'],
  ['webhook', 'diagnose'],
  ['webhook', 'diagnose', '-o', 'json'],
  ['webhook', 'diagnose', '--no-summary', '-o', 'ndjson', '--fields', 'id,next'],
  ['webhook', 'status', '-o', 'json'],
]

test.each(PRINTING)('every command that is printed keeps the shop: %$', async (...argv) => {
  const home = await homeWithShop()
  const file = join(temporaryFolder(), 'events.ndjson')
  writeFileSync(file, bareNdjson([1, 2, 3].map(each => event(each))))
  await storectl(['webhook', 'import', file, '--profile', 'local'], {home})
  const {stdout, stderr} = await storectl([...argv, '--profile', 'local'], {home, unattended: true})
  const printed = `${stdout}\n${stderr}`.match(
    /\bstorectl (webhook|run|customer|order|payment|api|auth|doctor)\b.*/g,
  )
  for (const line of printed ?? []) {
    expect(line).toContain('--profile local')
    expect(line).not.toMatch(/--fields|--output|--json|--no-header|-o /)
  }
  expect(printed).not.toBeNull()
})

test.each([[[]], [['-o', 'json']]])('what doctor suggests keeps the address: %j', async words => {
  const url = 'http://127.0.0.1:9'
  const {stdout, stderr} = await storectl(['doctor', '--url', url, ...words], {home: temporaryFolder()})
  expect(`${stdout}${stderr}`).toContain(`storectl auth status --url ${url}`)
})

test('a command like the one that was typed drops what says how it was printed', () => {
  const typed = ['-o', 'csv', '--type', 'A', '--fields=id', '--no-header', '--profile', 'b', '--json', 'file']
  const change = {without: [], keepsArguments: true, set: {apply: 'p'}}
  expect(rewriteCommandLine('storectl webhook replay', typed, {...runFlags, ...replayFlags}, change)).toBe(
    'storectl webhook replay --type A --profile b --apply p file',
  )
})
