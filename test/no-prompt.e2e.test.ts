import {spawn} from 'node:child_process'
import {cpSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, inject, test} from 'vitest'
import {testContext} from './support/context.js'
import {warmHome} from './support/home.js'
import {orderOf} from './support/order-shop.js'
import {ended} from './support/process.js'
import {tokenShop} from './support/shop-endpoint.js'
import {everyNth} from './support/sized.js'
import {sourcesBelow} from './support/sources.js'
import {storectl} from './support/storectl.js'
import {onTerminal, type Terminal} from './support/terminal.js'
import {ndjson, openPayments, testShop} from './webhook/support.js'

interface Command {
  readonly id: string
  readonly args: Readonly<Record<string, {readonly required?: boolean; readonly options?: string[]}>>
}

const ROOT = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))
const COMMANDS: Command[] = Object.values(manifest.commands)

/** Processes at a time. */
const ABREAST = 4

/** What keeps a command short that would do much, or for ever, with no words of its own. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'server:seed': ['--customers', '1', '--orders', '0'],
}

/** Commands that last until they are stopped, by what they say once they have begun. */
const LASTING: Readonly<Record<string, string>> = {
  'server:start': 'http://127.0.0.1',
  mcp: 'Waiting for an MCP client',
}

/** How a command is run when nobody can be asked. */
const WAYS: Readonly<Record<string, Way>> = {
  'stdin closed': (argv, env) => piped(argv, env),
  'TERM=dumb on a terminal': (argv, env) => seen(argv, {...env, TERM: 'dumb'}),
  'CI in this process': inProcess,
  'CI on a terminal': (argv, env) => seen(argv, {...env, CI: '1'}),
  '--no-input on a terminal': (argv, env) => seen([...argv, '--no-input'], env),
}

type Env = Record<string, string>
type Way = (argv: readonly string[], env: Env) => Promise<{exit: number; said: string}>

async function piped(argv: readonly string[], env: Env) {
  const words = ['-c', `exec "$0" "$@" <&-`, inject('node'), inject('storectl'), ...argv]
  const child = spawn('sh', words, {env: {PATH: process.env.PATH, ...env}, stdio: ['ignore', 'pipe', 'pipe']})
  const tooLong = setTimeout(() => child.kill('SIGKILL'), 25_000)
  const begun = beginningOf(argv)
  if (begun) child.stdout.on('data', chunk => String(chunk).includes(begun) && child.kill('SIGTERM'))
  const {exit, stdout, stderr} = await ended(child)
  clearTimeout(tooLong)
  return {exit, said: stdout + stderr}
}

/** Here a question has nobody who answers, which is an error of the test's. */
async function inProcess(argv: readonly string[], env: Env) {
  if (beginningOf(argv)) return {exit: 0, said: ''}
  const {exit, stdout, stderr} = await storectl(argv, {terminal: true, env: {...env, CI: '1'}})
  return {exit, said: stdout + stderr}
}

async function seen(argv: readonly string[], env: Env) {
  const begun = beginningOf(argv)
  const stop = ({pid}: Terminal) => void process.kill(pid, 'SIGTERM')
  const {exit, raw} = await onTerminal(argv, begun ? [[begun, stop]] : [], env)
  return {exit, said: raw}
}

function beginningOf(argv: readonly string[]): string | undefined {
  return Object.entries(LASTING).find(([id]) => argv.join(':').startsWith(id))?.[1]
}

/** What a question leaves on the terminal: its mark, and the moving of the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const QUESTION = /(^|\n)\S*\? \S|\u001b\[\?25l|\u001b\[\d*G/

/** Goes through all of it, a few at a time, and gives what is wrong. */
async function wrongAmong<T>(all: readonly T[], wrong: (each: T) => Promise<string | undefined>) {
  const found: string[] = []
  const left = all.values()
  const lane = async () => {
    for (const each of left) found.push(...[await wrong(each)].filter(text => text !== undefined))
  }
  await Promise.all(Array.from({length: ABREAST}, lane))
  return found
}

/** Ways that commands are tried in; what would ask is tried in all of them. */
const FEW = Object.keys(WAYS).slice(0, 3)

/** In `npm test` a process is started for every third, and a terminal for another third; in this process all are tried. */
function someFor<T>(name: string, all: readonly T[]): T[] {
  return name === 'CI in this process' ? [...all] : everyNth(3, all, -Object.keys(WAYS).indexOf(name))
}

test.each(FEW)(
  'every command ends by itself and asks nothing: %s',
  async name => {
    const shop = await tokenShop()
    const way = WAYS[name] as Way
    const some = new Set([...someFor(name, COMMANDS), ...COMMANDS.filter(({id}) => id in LASTING)])
    const wrong = await wrongAmong([...some], async ({id, args}) => {
      const given = Object.values(args).filter(({required}) => required)
      const argv = [...id.split(':'), ...given.map(({options}) => options?.[0] ?? 'x'), ...(WORDS[id] ?? [])]
      const env = {STORECTL_HOME: warmHome(), STORECTL_URL: shop.url, STORECTL_TOKEN: 'given-token'}
      const {exit, said} = await way(argv, env)
      return exit > 9 || QUESTION.test(said) ? `${argv.join(' ')}: exit ${exit}, ${said}` : undefined
    })
    expect(wrong).toEqual([])
  },
  120_000,
)

/** Words that lead to each question, with the flag that answers it and the exit of who does not give it. */
async function questions(): Promise<(readonly [argv: string[], names: string, exit: number, env: Env])[]> {
  const plain = await interrupted([])
  const guarded = await interrupted(['--protected'])
  const login = ['login', '--url', plain.env.STORECTL_URL]
  const bare = {STORECTL_HOME: warmHome()}
  const changes = ({events, orders}: {events: string; orders: string}) => [
    ['webhook', 'replay', events, '--no-check-state'],
    ['run', 'resume', 'last'],
    ['order', 'submit', orders],
    ['profile', 'remove', 'shop'],
    ['webhook', 'prune', '--older-than', '1ms'],
    ['webhook', 'register'],
    ['webhook', 'deregister'],
  ]
  return [
    [['login'], '--url URL', 2, bare],
    [login, '--client-id ID or --username NAME', 2, bare],
    [[...login, '--client-id', 'SWIAX'], '--client-secret-stdin', 2, bare],
    [[...login, '--username', 'ada'], '--password-stdin', 2, bare],
    [[...login, '--client-id', 'SWIAX', '--client-secret-stdin'], 'client secret', 2, bare],
    [['profile', 'set', 'shop', '--webhook-token-stdin'], 'webhook token', 2, plain.env],
    [['server', 'credentials', '--reset'], '--yes', 2, bare],
    [['order', 'submit'], '--set reference=', 2, bare],
    ...changes(plain).map(argv => [argv, '--yes', 2, copied(plain.env)] as const),
    ...changes(guarded).map(argv => [argv, '--confirm shop', 7, copied(guarded.env)] as const),
    [['api', 'DELETE', '/api/tag/1', '--yes'], '--confirm shop', 7, guarded.env],
  ].map(([argv, ...rest]) => [argv, ...rest] as never)
}

/** Of two commands that would change the same shop from one home, one waits or is refused. */
function copied(env: Env): Env {
  const home = warmHome()
  cpSync(env.STORECTL_HOME as string, home, {recursive: true})
  return {...env, STORECTL_HOME: home}
}

/** A home with a profile for a shop, and a replay there that was interrupted. */
async function interrupted(flags: string[]) {
  const {states, events: all} = openPayments(6)
  const shop = await testShop(states)
  const test = testContext({env: shop.env})
  const [events, orders] = ['events.ndjson', 'orders.json'].map(name => join(test.home, name)) as [
    string,
    string,
  ]
  writeFileSync(events, ndjson(all))
  writeFileSync(orders, JSON.stringify([orderOf('R-1')]))
  shop.intercept = () => {
    test.interruption.stop('SIGINT')
    return undefined
  }
  await storectl(['webhook', 'replay', events, '--yes', '--rate', '0', '--concurrency', '1'], test)
  shop.intercept = () => undefined
  await storectl(['profile', 'set', 'shop', '--url', shop.url, ...flags], {home: test.home})
  const env = {...shop.env, STORECTL_HOME: test.home} as unknown as Env & {STORECTL_URL: string}
  return {env, events, orders}
}

test.each(Object.keys(WAYS))(
  'what would be asked names the flag that answers it: %s',
  async name => {
    const way = WAYS[name] as Way
    const wrong = await wrongAmong(someFor(name, await questions()), async ([argv, names, code, env]) => {
      const {exit, said} = await way(argv, env)
      // A terminal breaks lines where it likes.
      const isNamed = said.replaceAll(/\s+/g, ' ').includes(names)
      const isWell = exit === code && isNamed && !QUESTION.test(said)
      return isWell ? undefined : `${argv.join(' ')}: exit ${exit}, ${said}`
    })
    expect(wrong).toEqual([])
  },
  120_000,
)

test('the same words do lead to a question where somebody can be asked', async () => {
  const wrong = await wrongAmong(await questions(), async ([argv, , , env]) => {
    const {exit, raw} = await onTerminal(argv, [['? ', '\u0003']], env)
    return exit === 130 && QUESTION.test(raw) ? undefined : `${argv.join(' ')}: exit ${exit}, ${raw}`
  })
  expect(wrong).toEqual([])
})

test('every command that asks is among those that are tried', async () => {
  const asking = [...sourcesBelow(join(ROOT, 'src/commands'))].filter(([, text]) =>
    /confirmWrite|\bconfirm\(|\bprompts\b|readSecret\(/.test(text),
  )
  const tried = (await questions()).map(([argv]) => argv.join('/'))
  const untried = asking
    .map(([file]) => file.replace(/\.ts$/, ''))
    .filter(file => !tried.some(words => words.startsWith(file)))
    // One screen from begin to end; test/webhook/triage tries it with and without a terminal.
    .filter(file => file !== 'webhook/triage')
  expect(untried).toEqual([])
})
