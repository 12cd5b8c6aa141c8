// The first two minutes: a shop whose webhooks failed, and the commands that repair it. Runs the built binary only.
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {constants, tmpdir} from 'node:os'
import {join} from 'node:path'
import {readFlags} from '../../bin/build/read-flags.js'
import {say, Terminal} from './terminal.js'

readFlags(`Starts a shop in a temporary folder, lets its webhooks fail, and repairs it with storectl; takes half a minute.

  npm run demo
`)

const home = mkdtempSync(join(tmpdir(), 'storectl-demo-'))
const environment = Object.entries(process.env).filter(
  ([name]) => !name.startsWith('STORECTL_') && name !== 'CI',
)
const terminal = new Terminal({...Object.fromEntries(environment), STORECTL_HOME: home}, home)

try {
  process.exitCode = await Promise.race([show(), waitForSignal()])
} catch (error) {
  process.stderr.write(`\ndemo: ${error.message}\n`)
  process.exitCode = 1
} finally {
  await terminal.close()
  rmSync(home, {recursive: true, force: true})
}
process.exit()

async function show() {
  await openShop()
  await letNotificationsArrive()
  await replay()
  await submitOrders()
  await searchCustomers()
  goOn()
  return 0
}

/** The exit code of the first signal that asks the demo to end, or of a reader who goes. */
function waitForSignal() {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => resolve(128 + constants.signals[signal]))
    process.stdout.on('error', () => resolve(128 + constants.signals.SIGPIPE))
  })
}

async function openShop() {
  say(
    'A shop on this machine: its own database, its own credentials, on a free port.\nIt answers the first 14 events with 503, as if it were overloaded.',
  )
  const opened = await terminal.serve([
    'server',
    'start',
    '--port',
    '0',
    '--fault',
    'route=webhook,status=503,count=14',
  ])
  await terminal.type(['server', 'seed', '--customers', '500', '--orders', '400'], {})
  say('The bundled shop signs in by itself.\nBy its URL it is a shop like any other, and needs a login.')
  const {url, credentials} = opened.started
  await terminal.type(
    [
      'login',
      '--profile',
      'shop',
      '--url',
      url,
      '--client-id',
      credentials.clientId,
      '--client-secret-stdin',
    ],
    {},
    {input: credentials.clientSecret},
  )
  await terminal.type(['profile', 'use', 'local'])
  await terminal.type(['auth', 'status'], {find: ['local', 'shop']})
}

async function letNotificationsArrive() {
  say('Sixty notifications arrive from the payment provider. The first 14 meet the overload.')
  await terminal.type(['server', 'trigger', '--count', '14'], {find: [/503/]})
  say('Then the provider still uses a token that was rotated, and some belong to another shop.')
  await terminal.type(
    ['server', 'trigger', '--count', '12', '--old-token', '26', '--unknown-transaction', '8'],
    {find: [/valid +200 +12\n/, /old-token +400 .* 26\n/]},
  )
}

async function replay() {
  say('What failed?')
  await terminal.type(
    ['webhook', 'list', '--status', 'failed'],
    {find: ['Shopware token is i']},
    {lines: 8, last: 1},
  )
  say('What would a replay send? Nothing is sent yet.')
  await terminal.type(
    ['webhook', 'replay', '--dry-run'],
    {find: ['unknown-transaction']},
    {lines: 8, last: 5},
  )
  say('Send them: the events of a payment in order, each step in the audit log.')
  await terminal.type(
    ['webhook', 'replay', '--profile', 'local', '--yes', '--rate', '0'],
    {exit: 3, find: [/40 applied/, /8 held/]},
    {lines: 12, last: 1},
  )
  say('The same again sends nothing: no event is sent twice.')
  await terminal.type(
    ['webhook', 'replay', '--profile', 'local', '--yes', '--rate', '0'],
    {find: [/8 held; nothing was sent/]},
    {lines: 6, last: 1},
  )
  await terminal.type(['run', 'list'], {find: ['replay']})
}

async function submitOrders() {
  say('A file of 25 orders for the warehouse. Two of its rows are wrong.')
  cpSync(join(import.meta.dirname, 'orders.csv'), join(home, 'orders.csv'))
  await terminal.type(['order', 'submit', 'orders.csv', '--profile', 'shop', '--yes'], {
    exit: 2,
    find: ['orders.csv:9:', 'orders.csv:22:'],
  })
  say('Nothing was sent.\nCorrect both cells (UK is GB; quantity 1), and submit the file again.')
  const correct = readFileSync(join(home, 'orders.csv'), 'utf8')
    .replace(',UK,', ',GB,')
    .replace(/^(DEMO-0018,.*),0,/m, '$1,1,')
  writeFileSync(join(home, 'orders.csv'), correct)
  await terminal.type(
    ['order', 'submit', 'orders.csv', '--profile', 'shop', '--yes'],
    {find: [/25 created/]},
    {lines: 8, last: 1},
  )
  await terminal.type(
    ['order', 'submit', 'orders.csv', '--profile', 'shop', '--yes', '-o', 'id'],
    {find: ['DEMO-0001']},
    {lines: 3, last: 1},
  )
}

async function searchCustomers() {
  say('Find customers, as a table, or as JSON lines for jq.')
  await terminal.type(
    [
      'customer',
      'search',
      '--profile',
      'shop',
      '--where',
      'orderCount >= 1 and active = true',
      '--limit',
      '5',
    ],
    {},
  )
  const {stdout} = await terminal.type(
    ['customer', 'search', '--profile', 'shop', '--all', '--fields', 'customerNumber,email', '-o', 'ndjson'],
    {},
    {lines: 3, stdin: ''},
  )
  const rows = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  if (rows.length !== 500) throw new Error(`expected 500 customers, got ${rows.length}`)
}

function goOn() {
  say('The end. The demo removes this shop and its files.')
  process.stdout.write(`
Next, with a shop of your own:
  npm install -g .                 storectl on your PATH
  storectl login                   sign in to your shop
  storectl webhook replay --help   every safety check of a replay
  storectl help exit-codes         what scripts can rely on
`)
}
