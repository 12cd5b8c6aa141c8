import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {orderOf} from '../support/order-shop.js'
import {homeWithShop} from '../support/prepared-shop.js'
import {storectl} from '../support/storectl.js'
import {event} from '../webhook/support.js'

/** Every command that talks to a shop or reads its records, with the words that make it do so. */
const OF_A_SHOP: Readonly<Record<string, readonly string[]>> = {
  api: ['GET', '/api/_info/version'],
  'auth:status': ['--check'],
  'auth:token': [],
  'customer:search': [],
  'customer:show': ['nobody@example.org'],
  'order:list': [],
  'order:show': ['4711'],
  'order:submit': ['orders.json', '--dry-run'],
  'payment:list': [],
  'payment:reconcile': [],
  'payment:show': ['4711'],
  status: [],
  'webhook:capture': ['--listen', '127.0.0.1:0'],
  'webhook:deregister': [],
  'webhook:diagnose': [],
  'webhook:import': ['events.ndjson'],
  'webhook:list': [],
  'webhook:prune': ['--older-than', '30d', '--dry-run'],
  'webhook:register': [],
  'webhook:replay': ['--dry-run'],
  'webhook:resolve': [event(1).id, '--reason', 'by hand'],
  'webhook:show': [event(1).id],
  'webhook:status': [],
  'webhook:verify': [],
}

/** The others, and why no shop has to be chosen for them. */
const OF_NO_SHOP: Readonly<Record<string, readonly string[]>> = {
  'of this machine': ['completion', 'completion:candidates', 'doctor', 'login', 'logout', 'version'],
  'of settings': [
    ...['config:list', 'config:set'],
    ...['profile:list', 'profile:remove', 'profile:set', 'profile:show', 'profile:use'],
  ],
  'of the whole database': [
    'database:backup',
    'database:copy',
    'database:migrate',
    'database:restored',
    'database:status',
  ],
  'of the bundled shop': [
    ...[
      'credentials',
      'fault:add',
      'fault:clear',
      'fault:list',
      'seed',
      'start',
      'status',
      'stop',
      'trigger',
    ].map(verb => `server:${verb}`),
  ],
  'of files': ['order:template', 'order:validate'],
  'of runs, which name their shop': [
    ...['export', 'list', 'resume', 'seal', 'set', 'show', 'stop', 'verify'].map(verb => `run:${verb}`),
  ],
  'the built-in fields, where no shop is chosen': ['customer:fields'],
  'of a person at a terminal': ['webhook:triage'],
  'of the commands behind its tools': ['mcp'],
}

/** Commands that want a chosen shop whatever the bundled one is. */
const STRICT = ['payment:reconcile', 'status']

/** What stderr says of the shop that a job was given. */
const ASKED = /^Asked local \(the bundled shop\), because no shop was chosen/m

/** Runs until it is stopped. */
const LASTING = ['webhook:capture']

const COMMANDS = Object.entries(OF_A_SHOP).map(([id, words]) => [id, [...id.split(':'), ...words]] as const)

/** The working folder, with the files that commands are given. */
function inputs(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'events.ndjson'), `${JSON.stringify(event(1))}\n`)
  writeFileSync(join(folder, 'orders.json'), JSON.stringify([orderOf('R-1')]))
  return folder
}

/** Files are named from the working folder of the process. */
const at = (folder: string, argv: readonly string[]) =>
  argv.map(word => (/\.(nd)?json$/.test(word) ? join(folder, word) : word))

test('every command is of a shop, or it is said why it is not', () => {
  const listed = [...Object.keys(OF_A_SHOP), ...Object.values(OF_NO_SHOP).flat()]
  const {commands} = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'oclif.manifest.json'), 'utf8'),
  )
  expect(listed.sort()).toEqual(Object.keys(commands).sort())
})

test.each(COMMANDS)('%s is refused where nobody is there and no shop was ever used', async (_id, argv) => {
  const home = temporaryFolder()
  const {exit, stdout, stderr} = await storectl(at(inputs(), argv), {home, unattended: true})
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^error: Unattended \(no terminal, or CI is set\): /)
  expect(stderr).toContain('add --profile local')
  expect(readdirSync(home)).not.toContain('shop')
})

/** Some that look at the chosen shop, and all the same need none. */
const WITHOUT_SHOP = [
  ...[['auth', 'status'], ['customer', 'fields'], ['doctor'], ['run', 'list'], ['profile', 'show']],
  ...[
    ['profile', 'list'],
    ['config', 'list'],
    ['database', 'status'],
    ['order', 'validate', 'orders.json'],
  ],
]

test.each(WITHOUT_SHOP.map(argv => [argv.join(' '), argv] as const))(
  '%s needs no shop where nobody is there',
  async (_, argv) => {
    const {exit, stderr} = await storectl(at(inputs(), argv), {home: temporaryFolder(), unattended: true})
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('no shop')])
  },
)

const LISTS = [
  ['customer', 'search'],
  ['webhook', 'list'],
  ['payment', 'list', '--json'],
  ['webhook', 'diagnose', '-o', 'ndjson'],
]

test.each(COMMANDS.filter(([id]) => !LASTING.includes(id)))(
  '%s says which shop it asked where nobody is there and the bundled one was used',
  async (id, argv) => {
    const home = await homeWithShop()
    const {exit, stderr} = await storectl(at(inputs(), argv), {home, unattended: true})
    if (STRICT.includes(id)) expect(stderr).toContain(`${argv.slice(0, 2).join(' ')} needs a chosen shop`)
    else expect(stderr).not.toContain('Unattended')
    const isAsked = exit === 0 || exit === 3
    if (isAsked) expect(stderr.match(ASKED)).toHaveLength(1)
    else expect(stderr).toMatch(/^error: /m)
  },
)

test.each([
  ['--yes', ['webhook', 'replay', '--yes']],
  ['--yes', ['api', 'DELETE', '/api/customer/1', '--yes']],
  ['--fail-if-any', ['webhook', 'list', '--fail-if-any']],
  ['--fail-if-empty', ['webhook', 'list', '--fail-if-empty']],
  ['--fail-if-empty', ['customer', 'search', '--fail-if-empty']],
  ['payment reconcile', ['payment', 'reconcile']],
])('%s needs a chosen shop where nobody is there: %j', async (word, argv) => {
  const home = await homeWithShop()
  const {exit, stderr} = await storectl(argv, {home, unattended: true})
  expect(exit).toBe(2)
  expect(stderr).toContain(`${word} needs a chosen shop`)
  expect((await storectl([...argv, '--profile', 'local'], {home, unattended: true})).stderr).not.toContain(
    word,
  )
  expect((await storectl(argv, {home})).stderr).not.toContain(`${word} needs`)
})

test.each(LISTS)('a shop that is chosen in any way is asked without a word: %j', async (...argv) => {
  // Whether the bundled shop was used before is no matter; to begin one takes half a second, and a list of events begins none.
  const home = argv[0] === 'webhook' ? temporaryFolder() : await homeWithShop()
  const ask = async (words: string[], more: object = {}) => {
    const {exit, stderr} = await storectl([...words, ...argv], {home, unattended: true, ...more})
    return [exit, ASKED.test(stderr)]
  }
  const project = temporaryFolder()
  writeFileSync(join(project, '.storectl.json'), '{"profile": "local"}')
  expect(await ask(['--profile', 'local'])).toEqual([0, false])
  expect(await ask([], {env: {STORECTL_PROFILE: 'local'}})).toEqual([0, false])
  expect(await ask([], {folder: project})).toEqual([0, false])
  await storectl(['profile', 'use', 'local'], {home, unattended: true})
  expect(await ask([])).toEqual([0, false])
})

test('a run is resumed at the shop that was chosen for it', async () => {
  const home = await homeWithShop()
  const submit = ['order', 'submit', join(inputs(), 'orders.json'), '--profile', 'local', '--yes']
  expect((await storectl(submit, {home, unattended: true})).exit).toBe(0)
  const resume = ['run', 'resume', 'last', '--yes']
  const {exit, stderr} = await storectl(resume, {home, unattended: true})
  expect([exit, stderr]).toEqual([2, expect.stringContaining('--yes needs a chosen shop')])
  expect((await storectl([...resume, '--profile', 'local'], {home, unattended: true})).exit).toBe(0)
})

test('CI counts as nobody there, on a terminal too', async () => {
  const {exit, stderr} = await storectl(['customer', 'search'], {terminal: true, env: {CI: 'true'}})
  expect(exit).toBe(2)
  expect(stderr).toContain('add --profile local')
})

test('a person is given the bundled shop at once, and a failure in JSON stays one line', async () => {
  const home = await homeWithShop()
  const asked = await storectl(['customer', 'search'], {home})
  expect([asked.exit, ASKED.test(asked.stderr)]).toEqual([0, false])
  const {exit, stderr} = await storectl(['customer', 'show', 'nobody', '--json'], {home, unattended: true})
  expect(exit).toBe(9)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
