import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {createHost} from '../../src/app/host.js'
import {start} from '../../src/cli/cli.js'
import {testContext} from '../support/context.js'
import {temporaryFolder} from '../support/home.js'
import {loginWords} from '../support/login-words.js'
import {type TokenShop, tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

const SEARCH = ['customer', 'search', '-o', 'json']

const listing = () => ({status: 200, body: {total: 0, data: [], aggregations: []}})

/** A home that is signed in to a shop. */
async function home(): Promise<{home: string; shop: TokenShop; env: Record<string, string>}> {
  const shop = await tokenShop({answer: listing})
  const folder = temporaryFolder()
  const argv = loginWords(shop.url)
  expect((await storectl(argv, {home: folder, stdin: 'hidden-secret'})).exit).toBe(0)
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
  return {home: folder, shop, env}
}

const replaced = (file: string, text: string | Buffer) => () => writeFileSync(file, text)
const folderAt = (file: string) => () => {
  rmSync(file)
  mkdirSync(file)
}

/** What is said where a file can be read and lacks something: what to do about that, not where it lies. */
const UNNAMED = ['secrets of another form', 'profiles that are no object', 'a profile without a URL']

test.each<[string, string, (file: string) => () => void, number, string]>([
  [
    'settings that end in the middle',
    'settings.json',
    file => replaced(file, '{"profiles": {'),
    2,
    'the current profile is unknown',
  ],
  ['settings of no bytes', 'settings.json', file => replaced(file, ''), 2, 'the current profile is unknown'],
  [
    'settings that are no text',
    'settings.json',
    file => replaced(file, Buffer.from([0, 255, 254, 1])),
    2,
    'the current profile is unknown',
  ],
  [
    'settings that are a list',
    'settings.json',
    file => replaced(file, '[]'),
    2,
    'the current profile is unknown',
  ],
  ['settings that are a folder', 'settings.json', folderAt, 2, 'is a folder, not a file'],
  [
    'settings of 17 MiB',
    'settings.json',
    file => replaced(file, Buffer.alloc(17 * 1024 * 1024, ' ')),
    2,
    'exceeds 16 MiB',
  ],
  [
    'profiles that are no object',
    'settings.json',
    file => replaced(file, '{"profiles": 7}'),
    2,
    '"profiles" is not an object',
  ],
  [
    'a profile without a URL',
    'settings.json',
    file => replaced(file, '{"profiles": {"shop": {}}}'),
    2,
    'profile "shop" has no URL',
  ],
  [
    'secrets that end in the middle',
    'credentials.json',
    file => replaced(file, '{"shop": {'),
    4,
    'Not signed in to shop',
  ],
  [
    'secrets of another form',
    'credentials.json',
    file => replaced(file, '{"shop": [1], "other": null}'),
    4,
    'Not signed in to shop',
  ],
  ['secrets that are a folder', 'credentials.json', folderAt, 2, 'is a folder, not a file'],
])(
  '%s: the file or what it lacks is named, nothing in it is lost, and a job with credentials of its own goes on',
  async (what, name, broken, exit, words) => {
    const {home: folder, env} = await home()
    const file = join(folder, name)
    broken(file)()
    const before = statSync(file).isFile() ? readFileSync(file) : undefined
    const ended = await storectl(['customer', 'search'], {home: folder})
    expect([ended.exit, ended.stdout]).toEqual([exit, ''])
    expect(ended.stderr).toContain(words)
    expect(ended.stderr.includes(file)).toBe(!UNNAMED.includes(what))
    expect(ended.stderr).toContain('next: ')
    const job = await storectl(SEARCH, {home: folder, env})
    expect([job.exit, job.stdout]).toEqual([0, '[]\n'])
    if (before) expect(readFileSync(file).equals(before)).toBe(true)
  },
)

test('a home that is a file: it is said, and a job with credentials of its own goes on', async () => {
  const {env} = await home()
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const ended = await storectl(['customer', 'search'], {home: file})
  expect(ended.exit).toBe(2)
  expect(ended.stderr).toContain('a parent folder of its path is a file')
  expect((await storectl(SEARCH, {home: file, env})).exit).toBe(0)
  const token = {STORECTL_URL: env.STORECTL_URL as string, STORECTL_TOKEN: 'given-token'}
  expect((await storectl(SEARCH, {home: file, env: token})).exit).toBe(0)
})

test('where there is no home at all: it is said, and a job with credentials of its own goes on', async () => {
  const {env} = await home()
  const run = async (given: Record<string, string>) => {
    const {host, out, err} = testContext()
    const homeless = createHost({...host, env: given, home: undefined})
    const exit = await start(['customer', 'search', '-o', 'json'], await program(), homeless)
    return {exit, stdout: out(), stderr: err()}
  }
  const ended = await run({})
  expect([ended.exit, ended.stdout]).toEqual([2, ''])
  expect(ended.stderr).toContain('No home folder found')
  expect(ended.stderr).toContain('export STORECTL_HOME=/some/folder')
  expect(await run(env)).toMatchObject({exit: 0, stdout: '[]\n'})
})

async function program() {
  const {default: search} = await import('../../src/commands/customer/search.js')
  return {
    about: {name: 'storectl', version: '0.0.0-test', description: 'under test', oclif: {}},
    root: join(import.meta.dirname, '../..'),
    commands: {'customer:search': async () => ({default: search})},
    manifest: async () => (await import('../../oclif.manifest.json')).default as never,
  }
}

test('credentials of the environment alone: nothing is written', async () => {
  const {shop} = await home()
  const folder = temporaryFolder()
  const ways: Record<string, string>[] = [
    {STORECTL_TOKEN: 'given-token'},
    {STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'},
    {STORECTL_USERNAME: 'ada', STORECTL_PASSWORD: 'hidden-password'},
  ]
  for (const way of ways) {
    for (const argv of [
      SEARCH,
      ['auth', 'status', '--check'],
      ['auth', 'token'],
      ['config', 'list'],
      ['logout'],
    ]) {
      const {exit} = await storectl(argv, {home: folder, env: {STORECTL_URL: shop.url, ...way}})
      expect([argv, exit]).toEqual([argv, 0])
      expect([argv, readdirSync(folder)]).toEqual([argv, []])
    }
  }
})

test.each(['settings.json', 'credentials.json'])(
  '%s behind a link stays behind it, also behind a relative one and one whose target is not there yet',
  async name => {
    const {home: folder, shop} = await home()
    const file = join(folder, name)
    const elsewhere = temporaryFolder()
    const login = loginWords(shop.url)
    for (const target of [
      join(elsewhere, 'absolute.json'),
      join('..', elsewhere.split('/').at(-1) ?? '', 'relative.json'),
    ]) {
      rmSync(file)
      symlinkSync(target, file)
      expect((await storectl(login, {home: folder, stdin: 'hidden-secret'})).exit).toBe(0)
      expect([lstatSync(file).isSymbolicLink(), readlinkSync(file)]).toEqual([true, target])
      const behind = join(elsewhere, target.split('/').at(-1) ?? '')
      expect(readFileSync(behind, 'utf8')).toContain('"shop"')
      expect(statSync(behind).mode & 0o777).toBe(0o600)
    }
  },
)

test("secrets that others can read are named by the doctor, and are the owner's alone after the next change", async () => {
  const {home: folder, shop} = await home()
  const file = join(folder, 'credentials.json')
  chmodSync(file, 0o644)
  const {stdout, exit} = await storectl(['doctor', '-o', 'json'], {home: folder})
  const modes = JSON.parse(stdout).find(({check}: {check: string}) => check === 'file modes')
  expect(exit).not.toBe(0)
  expect(modes).toMatchObject({state: 'failed', fix: [`chmod go= ${file}`]})
  const login = loginWords(shop.url)
  await storectl(login, {home: folder, stdin: 'hidden-secret'})
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('profiles whose names differ in case alone are two, each with secrets of its own', async () => {
  const {home: folder} = await home()
  const other = await tokenShop({answer: listing})
  const login = [
    'login',
    '--profile',
    'Shop',
    '--url',
    other.url,
    '--client-id',
    'SWIAY',
    '--client-secret-stdin',
  ]
  await storectl(login, {home: folder, stdin: 'another-secret'})
  const rows = JSON.parse((await storectl(['auth', 'status', '-o', 'json'], {home: folder})).stdout)
  expect(rows.map(({profile, as}: {profile: string; as: string}) => [profile, as])).toEqual([
    ['shop', 'SWIAX'],
    ['Shop', 'SWIAY'],
  ])
  const {exit, stderr} = await storectl(['customer', 'search', '--profile', 'SHOP'], {home: folder})
  expect(exit).toBe(2)
  expect(stderr).toMatch(/Unknown profile "SHOP"\. Did you mean "[sS]hop"\?/)
})

test('after a broken settings file was set aside by a change, a job that names no profile is held until one is chosen', async () => {
  const {home: folder} = await home()
  const file = join(folder, 'settings.json')
  writeFileSync(file, '{"profiles": {')
  expect((await storectl(['config', 'set', 'timeout', '20s'], {home: folder})).exit).toBe(0)
  const held = await storectl(SEARCH, {home: folder})
  expect([held.exit, held.stdout]).toEqual([2, ''])
  expect(held.stderr).toContain('the current profile is unknown')
  expect(held.stderr).toContain('settings.json.broken-')
  expect((await storectl(['config', 'set', 'output', 'json'], {home: folder})).exit).toBe(0)
  expect((await storectl(SEARCH, {home: folder})).exit).toBe(2)
  expect((await storectl([...SEARCH, '--profile', 'local'], {home: folder})).exit).toBe(0)
  expect((await storectl(['profile', 'use', 'local'], {home: folder})).exit).toBe(0)
  expect((await storectl(SEARCH, {home: folder})).exit).toBe(0)
  expect((await storectl(['config', 'set', 'profile', '--unset'], {home: folder})).exit).toBe(0)
  expect((await storectl(SEARCH, {home: folder})).exit).toBe(0)
})
