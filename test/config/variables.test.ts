import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parseDatabaseAddress, resolveDatabaseNames} from '../../src/config/database-address.js'
import {resolvePaths} from '../../src/config/paths.js'
import {VARIABLES} from '../../src/config/variables.js'
import {testContext} from '../support/context.js'
import {temporaryFolder} from '../support/home.js'
import {loginWords} from '../support/login-words.js'
import {tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

/** One table of how a value may come out of a secret store, an editor or a file of variables. */
const SPELLINGS: readonly (readonly [string, (value: string) => string])[] = [
  ['as it is', value => value],
  ['with a line feed', value => `${value}\n`],
  ['with CRLF', value => `${value}\r\n`],
  ['between blanks', value => ` ${value}\t`],
  ['with a byte order mark', value => `\uFEFF${value}`],
  ['with all of these', value => `\uFEFF ${value} \r\n\r\n`],
]

const NAMES = VARIABLES.flatMap(([names]) => names.split(', '))
const OURS = NAMES.filter(name => name.startsWith('STORECTL_'))

test.each(SPELLINGS)('every variable of ours is read the same %s', (_how, spell) => {
  for (const name of OURS)
    expect(testContext({env: {[name]: spell('value of it')}}).host.env[name]).toBe('value of it')
})

test('a line end behind a variable of others is no part of it, a blank is', () => {
  for (const name of NAMES.filter(each => !OURS.includes(each)))
    expect(testContext({env: {[name]: ' a b \r\n'}}).host.env[name]).toBe(' a b ')
  expect(testContext({env: {SOMETHING: 'else\n'}}).host.env.SOMETHING).toBe('else\n')
})

test.each(SPELLINGS)('the shop gets the credentials of the environment %s', async (_how, spell) => {
  const shop = await tokenShop()
  const check = (env: Record<string, string>) =>
    storectl(['auth', 'token'], {
      env: Object.fromEntries(
        Object.entries({STORECTL_URL: shop.url, ...env}).map(([name, value]) => [name, spell(value)]),
      ),
    })
  expect((await check({STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'a secret'})).exit).toBe(0)
  expect((await check({STORECTL_USERNAME: 'ada', STORECTL_PASSWORD: 'pass word'})).exit).toBe(0)
  expect(shop.grants()).toMatchObject([
    {client_id: 'SWIAX', client_secret: 'a secret'},
    {username: 'ada', password: 'pass word'},
  ])
  expect((await check({STORECTL_TOKEN: 'given-token'})).stdout).toBe('given-token\n')
})

const SETTINGS: Readonly<Record<string, readonly [variable: string, value: string]>> = {
  profile: ['STORECTL_PROFILE', 'shop'],
  output: ['STORECTL_OUTPUT', 'json'],
  timeout: ['STORECTL_TIMEOUT', '7s'],
  'connect-timeout': ['STORECTL_CONNECT_TIMEOUT', '2s'],
  'ca-file': ['STORECTL_CA_FILE', '/tmp/ca.pem'],
  cert: ['STORECTL_CERT', '/tmp/cert.pem'],
  key: ['STORECTL_KEY', '/tmp/key.pem'],
  database: ['STORECTL_DATABASE_URL', 'postgres://db.example/x'],
}

test.each(SPELLINGS)('settings come from the environment %s', async (_how, spell) => {
  const env = Object.fromEntries(Object.values(SETTINGS).map(([name, value]) => [name, spell(value)]))
  const {stdout} = await storectl(['config', 'list', '-o', 'json'], {env})
  const rows = JSON.parse(stdout) as {key: string; value: string}[]
  const values = Object.entries(SETTINGS).map(([key, [, value]]) => [key, value])
  expect(rows.map(({key, value}) => [key, value])).toEqual(values)
})

const HALVES = [
  ['STORECTL_CLIENT_ID', 'STORECTL_CLIENT_SECRET'],
  ['STORECTL_USERNAME', 'STORECTL_PASSWORD'],
  ['STORECTL_PROVIDER_CLIENT_ID', 'STORECTL_PROVIDER_CLIENT_SECRET'],
].flatMap(([id = '', secret = '']) => [
  [id, secret],
  [secret, id],
])

test.each(HALVES)('%s with an empty %s is refused, whatever profile is stored', async (set, empty) => {
  const shop = await tokenShop()
  const home = temporaryFolder()
  expect((await storectl(loginWords(shop.url), {home, stdin: 'secret'})).exit).toBe(0)
  const isProvider = set.includes('PROVIDER')
  const commands = isProvider
    ? [['payment', 'reconcile']]
    : [['auth', 'status'], ['customer', 'search'], ['login']]
  for (const argv of commands)
    for (const nothing of ['', '\r\n']) {
      const {exit, stderr} = await storectl(argv, {home, env: {[set]: 'something', [empty]: nothing}})
      expect([exit, stderr]).toEqual([2, expect.stringContaining(`${empty} is empty, but ${set} is set.`)])
    }
})

test('a variable alone that is empty counts as unset', async () => {
  const shop = await tokenShop()
  const empty = Object.fromEntries(OURS.filter(name => name !== 'STORECTL_HOME').map(name => [name, '']))
  const env = {...empty, STORECTL_URL: shop.url, STORECTL_TOKEN: 'given-token'}
  expect((await storectl(['auth', 'token'], {env})).stdout).toBe('given-token\n')
  expect((await storectl(['auth', 'status'], {env: empty})).exit).toBe(0)
})

test.each([
  ['STORECTL_DATABASE', 'did you mean STORECTL_DATABASE_URL?'],
  ['STORECTL_SECRET', 'did you mean STORECTL_CLIENT_SECRET?'],
  ['STORECTL_PROVIDER_SECRET', 'did you mean STORECTL_PROVIDER_CLIENT_SECRET?'],
  ['STORECTL_CLIENTID', 'did you mean STORECTL_CLIENT_ID?'],
  ['STORECTL_TIME_OUT', 'did you mean STORECTL_TIMEOUT?'],
  ['STORECTL_NOTHING_LIKE_IT', 'storectl help environment lists all'],
])('%s is no variable: %s', async (name, hint) => {
  for (const argv of [
    ['config', 'list'],
    ['customer', 'search', '--nope'],
  ]) {
    const {stderr} = await storectl(argv, {env: {[name]: 'x'}})
    expect(stderr.split(`${name};`)).toHaveLength(2)
    expect(stderr).toContain(`warning: unknown variable ${name}; ${hint}\n`)
  }
})

test('no variable that is known is called unknown', async () => {
  const env = Object.fromEntries(OURS.filter(name => name !== 'STORECTL_HOME').map(name => [name, '']))
  expect((await storectl(['config', 'list', '--path'], {env})).stderr).toBe('')
})

/** What the variables of others do here. */
const EFFECTS: readonly (readonly [name: string, read: (env: Record<string, string>) => unknown])[] = [
  ['XDG_CONFIG_HOME', env => resolvePaths(env, '/home/ada', 'linux').settingsFile],
  ['XDG_STATE_HOME', env => resolvePaths(env, '/home/ada', 'linux').recordsDatabase],
  ['XDG_CACHE_HOME', env => resolvePaths(env, '/home/ada', 'linux').cache],
  ['APPDATA', env => resolvePaths(env, '/home/ada', 'win32').settingsFile],
  ['LOCALAPPDATA', env => resolvePaths(env, '/home/ada', 'win32').recordsDatabase],
  ['PGHOST', env => resolveDatabaseNames(parseDatabaseAddress('postgres://'), env).host],
  ['PGUSER', env => resolveDatabaseNames(parseDatabaseAddress('postgres://'), env).user],
  ['PGDATABASE', env => resolveDatabaseNames(parseDatabaseAddress('postgres://'), env).database],
]

test.each(EFFECTS)('%s has its effect, and one that is empty has none', (name, read) => {
  expect(read({[name]: 'chosen'})).toMatch(/^chosen/)
  expect(read({[name]: ''})).toBe(read({}))
})

test('PGPORT is the port of an address without one', () => {
  expect(resolveDatabaseNames(parseDatabaseAddress('postgres://'), {PGPORT: '6432'}).port).toBe(6432)
  expect(resolveDatabaseNames(parseDatabaseAddress('postgres://'), {PGPORT: ''}).port).toBe(5432)
})

/** Variables that no test here can show, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  USERPROFILE: 'Node reads it, on Windows',
  LOGNAME: 'read where the system has no name for the user',
}

test('every other variable in the help has a test that names it', () => {
  const tests = readdirSync(join(import.meta.dirname, '..'), {recursive: true, encoding: 'utf8'})
    .filter(
      file => /\.test\.ts$|-channels\.ts$|-matrix\.ts$/.test(file) && !file.includes('help-environment'),
    )
    .map(file => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
  const all = tests.join('\n')
  expect(NAMES.filter(name => !(name in ELSEWHERE) && !new RegExp(`\\b${name}\\b`).test(all))).toEqual([])
})
