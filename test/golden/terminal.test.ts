import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {hostname, userInfo} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {StoppedClock} from '../support/clock.js'
import {type TestContext, testContext} from '../support/context.js'
import {orderOf} from '../support/order-shop.js'
import {storectl} from '../support/storectl.js'
import {until} from '../support/until.js'
import {event, ndjson} from '../webhook/support.js'

// What every command that lists or shows something prints on a terminal of 80 columns: one home, one process.

const COLUMNS = 80
const clock = new StoppedClock('2026-11-23T12:00:00.000Z')
// Not in TMPDIR: the length of this path decides how tables are laid out.
const home = mkdtempSync('/tmp/storectl-golden-')
/** No bar, no question. */
const context = {home, env: {PATH: process.env.PATH, CI: '1'}, clock, unattended: false}

/** Answers the commands, so that none has to open the shop for itself. */
let server: {context: TestContext; ended: Promise<unknown>} | undefined
const zone = process.env.TZ

beforeAll(async () => {
  process.env.TZ = 'UTC'
  const write = (name: string, rows: object[]) => {
    writeFileSync(join(home, name), ndjson(rows, readToken()))
    return join(home, name)
  }
  const readToken = () => {
    const file = join(home, 'shop', 'credentials')
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).webhookToken : undefined
  }
  const agedEvent = (index: number, options: object = {}) =>
    event(index, {createdAt: new Date(clock.now().getTime() - index * 700_000).toISOString(), ...options})
  const events = [
    ...[0, 1, 2].map(index => agedEvent(index)),
    agedEvent(3, {type: 'PAYMENT.CAPTURE.REFUNDED'}),
    agedEvent(4, {type: 'CHECKOUT.ORDER.APPROVED'}),
    agedEvent(900),
  ]
  const orders = ['WEB-10001', 'WEB-10002', 'B2B-7'].map(each => orderOf(each))
  for (const words of [
    ['server', 'seed', '--customers', '12', '--orders', '12'],
    ['server', 'seed', '--customers', '12', '--orders', '12', '--payments', '40', '--drift', '10%'],
    () => ['webhook', 'import', write('events.ndjson', events)],
    [
      'order',
      'submit',
      write('orders.ndjson', orders),
      '--profile',
      'local',
      '--yes',
      '--rate',
      '1',
      '--concurrency',
      '1',
    ],
    ['webhook', 'replay', '--profile', 'local', '--yes', '--max-age', '3d'],
    ['webhook', 'resolve', 'WH-00000000000000002', '--profile', 'local', '--reason', 'refunded in the shop'],
    ['profile', 'set', 'prod', '--url', 'https://shop.example', '--protected'],
  ]) {
    clock.advance(60_000)
    await storectl(typeof words === 'function' ? words() : words, context)
  }
  const running = testContext(context)
  server = {context: running, ended: storectl(['server', 'start', '--port', '0'], running)}
  await until('the server listens', () => /http:\/\//.test(running.out() + running.err()))
}, 240_000)

afterAll(async () => {
  server?.context.interruption.stop('SIGINT')
  await server?.ended
  rmSync(home, {recursive: true, force: true})
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const LISTED = [
  'webhook list',
  'webhook list --limit 2',
  'webhook list --cause unknown-transaction --limit 2',
  'webhook list --status delivered',
  'webhook list --group-by type',
  'webhook show WH-00000000000000003',
  'webhook show WH-00000000000000002 --attempts',
  'webhook diagnose WH-00000000000000003',
  'webhook diagnose',
  'webhook diagnose --no-summary',
  'webhook status',
  'webhook replay --dry-run',
  'webhook replay WH-0000000000000000 --dry-run',
  'run list',
  'run list --limit 1',
  'run list --state paused',
  'run show last',
  'run show last --results',
  'run verify --all',
  'run seal',
  'order list',
  'order list --limit 2',
  'order show B2B',
  'order show B2B-7',
  'order show WEB-1000',
  'customer search --limit 3',
  'customer search --facet country',
  'customer show 10001',
  'customer show 1000',
  'profile list',
  'profile show',
  'profile show prod',
  'auth status',
  'version',
  'config list --show-origin',
  'config list --path',
  'config list timeout',
  'database status',
  'server status',
  'server credentials',
  'server fault list',
  'payment list --limit 3',
  'payment list --state chargeback',
  'payment show 20010009',
  'payment show nope',
  'payment reconcile',
  'webhook verify',
  'webhook triage',
  'doctor',
  'status',
  'status --all-profiles',
  'run export last',
  'order template csv',
  'customer fields tags',
  'api GET /api/_info/version',
  'auth token',
  'database migrate --dry-run',
  'webhook prune --older-than 30d --dry-run',
  'completion fish',
  'completion candidates -- customer',
]

/** Commands that change something, in an order in which each has something to do, or is refused. */
const CHANGES = [
  'webhook import HOME/events.ndjson',
  'webhook resolve WH-00000000000000003 --profile local --reason ticket --yes',
  'webhook replay --profile local --yes',
  'webhook capture --listen 0.0.0.0:1',
  'webhook register',
  'webhook deregister',
  'order validate HOME/orders.ndjson',
  'order submit HOME/orders.ndjson --profile local --yes',
  'run set last --paused',
  'run stop last',
  'run set last --rate 2',
  'run resume last --join',
  'run resume last',
  'run resume last --take-over',
  'profile set staging --url https://staging.example',
  'profile use staging',
  'profile use local',
  'profile remove staging --yes',
  'login --url http://127.0.0.1:1',
  'logout --profile prod',
  'config set timeout 45s',
  'server fault add route=webhook,status=503,count=10',
  'server fault clear',
  'server seed --customers 12 --orders 12',
  'server trigger --old-token 3 --wrong-token 1 --unknown-transaction 1',
  'server start --host 0.0.0.0',
  'mcp',
  'database backup HOME/backup.db',
  'database restored',
  'database copy --from sqlite --to postgres',
]

test('every command has its output here', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../oclif.manifest.json'), 'utf8'))
  const lines = [...LISTED, ...CHANGES, STOP].map(line => `${line} `)
  const names = Object.keys(manifest.commands).map(id => `${id.replaceAll(':', ' ')} `)
  expect(names.filter(name => !lines.some(line => line.startsWith(name)))).toEqual([])
})

const STOP = 'server stop --data HOME/other'

// Each line finds what those before it have made.
describe('in this order', {shuffle: false}, () => {
  test.each([...LISTED, ...CHANGES, STOP])('%s', async line => {
    const words = line.replaceAll('HOME', home).split(' ')
    const ended = await storectl(words, {...context, terminal: true, columns: COLUMNS})
    const stderr = ended.stderr === '' ? '' : `--- stderr\n${ended.stderr}`
    const text = `$ storectl ${line}\n${ended.stdout}${stderr}--- exit ${ended.exit}\n`
    // Names of people and machines differ in width, which moves the columns after them.
    const masked = maskVarying(text)
    const plain = /^run (list|show)|--attempts/.test(line) ? masked.replaceAll(/ {2,}/g, '  ') : masked
    const folder = line.replaceAll(/[^\w-]+/g, '_')
    await expect(plain).toMatchFileSnapshot(`../fixtures/terminal/${folder}.txt`, 'npm run docs renews it')
  })
})

/** What differs from run to run and from machine to machine, by something of the same width. */
function maskVarying(text: string): string {
  return maskNames(text)
    .replaceAll(home, 'HOME')
    .replaceAll(/\beyJ[\w.-]+/g, 'TOKEN')
    .replaceAll(
      /((?:secret|[Pp]assword|[Tt]oken|ID) {2,}|\n)([A-Za-z0-9_-]{24,90})(?=\n)/g,
      (_, label, value) => `${label}${'x'.repeat(value.length)}`,
    )
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:47110')
    .replaceAll(/\b01[0-9a-z]{14}\b/g, '01aaaaaaaaaaaaaa')
    .replaceAll(/\b01[0-9a-f]{30}\b/g, `01${'a'.repeat(30)}`)
    .replaceAll(/(pid|PID) +\d+/g, '$1 4711')
    .replaceAll(/\d+\.\d [KM]iB/g, '99.9 KiB')
    .replaceAll(/SQLite \d+\.\d+\.\d+/g, 'SQLite 3.99.0')
    .replaceAll(/\d+\.\d GiB/g, '99.9 GiB')
    .replaceAll(/Write-ahead log .*/g, 'Write-ahead log  99.9 KiB')
    .replaceAll(/\| Options \|.*/g, '| Options | … |')
    .replaceAll(/clock is \d+ s (ahead of|behind)/g, 'clock is 99 s ahead of')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'f'.repeat(64))
}

/**
 * The person and the machine, where they are named and nowhere else: a name may be a word of the tables. The line of a
 * long one is folded.
 */
function maskNames(text: string, user = userInfo().username, host = hostname()): string {
  return text
    .replaceAll(/^(?:Workers|.* {2}resolved) {2}.*(?:\n {2,}\S.*)+/gm, folded =>
      folded.replaceAll(/\n +/g, ' '),
    )
    .replaceAll(`${user} on ${host}`, 'USER on HOST')
    .replaceAll(`| pid ${process.pid} on ${host} |`, '| pid 4711 on HOST |')
    .replaceAll(`  ${user}: `, '  USER: ')
    .replaceAll(/^(Operator|Host) {2,}(\S+)$/gm, (line, label, name) => {
      if (name !== {Operator: user, Host: host}[label as string]) return line
      return `${label}  ${label === 'Host' ? 'HOST' : 'USER'}`
    })
}

test('names of any length, and such as are words of the tables, are masked', () => {
  const text = (user: string, host: string, fold = ' ') =>
    `Operator  ${user}\nWorkers  ${user} on${fold}${host} (pid 7) left\n1m ago  person  resolved  ${user}: in the${fold}shop\n`
  const masked = text('USER', 'HOST')
  expect(maskNames(text('root', 'a1b2'), 'root', 'a1b2')).toBe(masked)
  expect(maskNames(text('shop', 'pid', '\n      '), 'shop', 'pid')).toBe(masked)
})

test.each(['csv', 'tsv'])('%s without its header begins with the first row', async format => {
  const words = ['order', 'list', '--fields', 'reference,status', '-o', format]
  const {stdout} = await storectl(words, context)
  const bare = await storectl([...words, '--no-header'], context)
  expect(stdout.split('\n').slice(1).join('\n')).toBe(bare.stdout)
  expect(bare.stdout).toMatch(/^\S+[,\t]received\r?\n/)
})
