import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {customerRow, listing} from '../support/customer-pages.js'
import {temporaryFolder} from '../support/home.js'
import {loginWords} from '../support/login-words.js'
import {runProcess} from '../support/process.js'
import {tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

/** What a process loaded. */
interface Loaded {
  /** Chunks of the bundle: `command.cjs`. */
  readonly chunks: readonly string[]
  /** Files of packages. */
  readonly packages: readonly string[]
  /** Modules of Node's own: `crypto`. */
  readonly modules: readonly string[]
}

/** Says at the end what was loaded by Node's own loader, and what Node loaded of itself. */
const HOOK = `process.on('exit', () => {
  const files = Object.keys(require.cache)
  const modules = process.moduleLoadList.filter(name => name.startsWith('NativeModule ')).map(name => name.slice(13))
  require('node:fs').writeFileSync(process.env.LOADED, JSON.stringify({
    chunks: files.filter(file => /[\\\\/]dist[\\\\/].*\\.cjs$/.test(file) && !file.includes('@')).map(file => require('node:path').basename(file)),
    packages: files.filter(file => file.includes('@photostructure')),
    modules,
  }))
})`

/** A home without a place for compiled code, so that Node loads each chunk itself. */
function homeWithoutCache(): string {
  const home = temporaryFolder()
  writeFileSync(join(home, 'cache'), '')
  return home
}

/** What a command line loads; the exit code must be 0. */
async function loadedBy(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Loaded> {
  const folder = temporaryFolder()
  const [hook, loaded] = [join(folder, 'hook.cjs'), join(folder, 'loaded.json')]
  writeFileSync(hook, HOOK)
  const end = await runProcess(argv, {
    env: {...env, NODE_OPTIONS: `--require=${JSON.stringify(hook)}`, LOADED: loaded},
  })
  expect(end).toMatchObject({exit: 0})
  expect(existsSync(loaded)).toBe(true)
  return (await import(loaded, {with: {type: 'json'}})).default
}

/** A home that is signed in to a shop with one customer. */
async function signedInHome(): Promise<Record<string, string>> {
  const home = homeWithoutCache()
  const found = {headers: {'content-type': 'application/json'}, body: listing([customerRow(1)])}
  const shop = await tokenShop({answer: ({method}) => (method === 'GET' ? {body: {}} : found)})
  expect(await storectl(loginWords(shop.url), {home, stdin: 'hidden-secret'})).toMatchObject({exit: 0})
  return {STORECTL_HOME: home}
}

/** Modules of Node's that take half a millisecond or more, and that nothing below has a use for. */
const LATE = [
  'fs/promises',
  'readline',
  'crypto',
  'perf_hooks',
  'child_process',
  'worker_threads',
  'http2',
  'tls',
]

/** Most chunks, which are only lowered: each is a file to look at, and code to keep. */
const LIMITS = [
  {argv: ['auth', 'status'], most: 27, without: [...LATE, 'http']},
  {argv: ['webhook', 'list'], most: 59, without: [...LATE, 'http']},
  {argv: ['customer', 'search', '--email', 'ada1@example.test'], most: 45, without: LATE},
]

test.each(LIMITS)('$argv loads $most chunks at most, and of Node what it needs', async limit => {
  const {argv, most, without} = limit
  const env = await signedInHome()
  await loadedBy(argv, env)
  const {chunks, modules} = await loadedBy(argv, env)
  const bare = await loadedBy(['--version'], env)
  expect(chunks).toContain('command.cjs')
  expect(chunks.length, chunks.join(' ')).toBeLessThanOrEqual(most)
  const own = modules.filter(name => !bare.modules.includes(name))
  expect(own.filter(name => without.includes(name))).toEqual([])
})

test('a list of the bundled shop’s events loads no cryptography of Node either', async () => {
  const env = {STORECTL_HOME: homeWithoutCache()}
  const seed = ['server', 'seed', '--customers', '1', '--orders', '0']
  expect(await runProcess(seed, {env})).toMatchObject({exit: 0})
  const list = ['webhook', 'list', '--profile', 'local']
  expect((await loadedBy(list, env)).modules, 'the first makes the database').toContain('crypto')
  expect((await loadedBy(list, env)).modules).not.toContain('crypto')
})

test('SQLite’s binary is loaded without its package, where Node has none of its own', async () => {
  const env = {STORECTL_HOME: homeWithoutCache(), STORECTL_URL: 'https://shop.example'}
  const {packages, modules} = await loadedBy(['webhook', 'list'], env)
  if (modules.includes('sqlite')) expect(packages).toEqual([])
  else expect(packages).toEqual([expect.stringMatching(/\.node$/)])
})
