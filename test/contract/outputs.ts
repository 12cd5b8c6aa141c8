import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {buildAlert} from '../../src/alerts/format-alert.js'
import type {SchemaName} from '../../src/contract/promised.js'
import {describeMachine} from '../../src/platform/processes.js'
import {recordsAt} from '../records/support.js'
import {currentTime} from '../support/clock.js'
import {captureCompleted} from '../support/events.js'
import {readRows} from '../support/hold-contract.js'
import {orderOf} from '../support/order-shop.js'
import {seedPaymentShop} from '../support/payment-shop.js'
import {ndjson} from '../webhook/support.js'

type Row = Readonly<Record<string, unknown>>

/** What was printed or written, by the schema that it is held to. */
export type Outputs = Map<SchemaName, Row[]>

/** Runs commands at a bundled shop, and gathers what they print and write. */
class Gathering {
  readonly outputs: Outputs = new Map()

  constructor(
    readonly home: string,
    readonly env: Readonly<Record<string, string>>,
    private readonly run: (...argv: string[]) => Promise<{readonly stdout: string; readonly stderr: string}>,
  ) {}

  add(name: SchemaName, rows: readonly unknown[]): void {
    this.outputs.set(name, [...(this.outputs.get(name) ?? []), ...(rows as Row[])])
  }

  /** Prints rows in one format, and notes an error line. */
  async print(name: SchemaName, format: 'json' | 'ndjson', ...argv: string[]): Promise<Row[]> {
    const {stdout, stderr} = await this.run(...argv, '-o', format)
    const rows = stdout === '' ? [] : (readRows(stdout) as Row[])
    this.add(name, rows)
    this.add(
      'error',
      stderr
        .split('\n')
        .filter(line => line.startsWith('{"error"'))
        .map(line => JSON.parse(line)),
    )
    return rows
  }

  /** The same in both formats, which have the same rows. */
  async both(name: SchemaName, ...argv: string[]): Promise<Row[]> {
    await this.print(name, 'ndjson', ...argv)
    return this.print(name, 'json', ...argv)
  }

  async exec(...argv: string[]): Promise<void> {
    await this.run(...argv)
  }

  locate(name: string): string {
    return join(this.home, name)
  }

  write(name: string, text: string): string {
    writeFileSync(this.locate(name), text)
    return this.locate(name)
  }

  read(name: SchemaName, file: string): void {
    this.add(name, readRows(readFileSync(this.locate(file), 'utf8')))
  }
}

/** What each promised command prints, in each of its variants, and what it writes. */
export async function gatherOutputs(): Promise<{outputs: Outputs; places: [string, string][]}> {
  const {home, env, run} = await seedPaymentShop(60, 1 / 3)
  const at = new Gathering(home, env, run)
  await gatherPayments(at)
  await gatherEvents(at)
  await gatherOrders(at)
  await gatherCustomers(at)
  await gatherRuns(at)
  await at.both('status', 'status')
  await at.both('status', 'status', '--since', '1d')
  await at.both('order-list', 'order', 'show', 'NONE')
  at.add('alert', [buildSampleAlert('open'), buildSampleAlert('over')])
  const places: [string, string][] = [
    [home, '/home/ada/.storectl'],
    [String(env.STORECTL_URL), 'https://shop.example'],
  ]
  return {outputs: at.outputs, places}
}

async function gatherPayments(at: Gathering): Promise<void> {
  const [{transaction = ''} = {}] = (await at.both('payment-list', 'payment', 'list', '--all')) as {
    transaction?: string
  }[]
  await at.both('payment-show', 'payment', 'show', transaction)
  const plan = at.locate('repair.plan')
  await at.print('payment-reconcile', 'ndjson', 'payment', 'reconcile', '--plan', plan)
  await at.print('payment-reconcile', 'json', 'payment', 'reconcile', '--report', at.locate('drift.json'))
  at.read('repair-plan', 'repair.plan')
  at.read('comparison-report', 'drift.json')
  const apply = ['payment', 'reconcile', '--apply', plan, '--yes', '--rate', 'none', '--max', 'none']
  await at.print('payment-reconcile', 'ndjson', ...apply)
  await at.print('payment-reconcile', 'json', ...apply)
}

async function gatherEvents(at: Gathering): Promise<void> {
  const payments = at.outputs.get('payment-list') ?? []
  const open = payments.filter(({state}) => state === 'open').slice(0, 2)
  const known = open.map(({transaction, amount}, seed) =>
    captureCompleted({seed, transactionId: String(transaction), amount: (amount as {value: string}).value}),
  )
  const events = [...known, captureCompleted({seed: 11}), captureCompleted({seed: 12})]
  const token = String(at.env.STORECTL_WEBHOOK_TOKEN)
  const file = at.write(
    'events.ndjson',
    ndjson(
      events.map(({payload}) => payload),
      token,
    ),
  )
  await at.exec('webhook', 'import', file)
  await at.both('webhook-diagnose', 'webhook', 'diagnose')
  await at.both('webhook-diagnose', 'webhook', 'diagnose', '--no-summary')
  await at.both('webhook-diagnose', 'webhook', 'diagnose', events[0]?.id ?? '')
  await at.both('webhook-list', 'webhook', 'list')
  for (const by of ['cause', 'hour']) await at.both('webhook-list', 'webhook', 'list', '--group-by', by)
  const replay = ['webhook', 'replay', '--max-age', 'none']
  await at.both('webhook-replay', ...replay, '--dry-run')
  await at.exec(...replay, '--plan', at.locate('replay.plan'))
  at.read('replay-plan', 'replay.plan')
  const [first = '', second = '', third = '', fourth = ''] = events.map(({id}) => id)
  await at.print('webhook-replay', 'ndjson', ...replay, first, third, '--yes')
  await at.print('webhook-replay', 'json', ...replay, second, '--yes')
  await at.both('webhook-show', 'webhook', 'show', first, '--headers')
  await at.both('webhook-resolve', 'webhook', 'resolve', third, '--reason', 'ticket 4711', '--yes')
  await at.print('webhook-resolve', 'json', 'webhook', 'resolve', '--undo', 'last', '--yes')
  await at.exec('webhook', 'resolve', fourth, '--reason', 'ticket 4711', '--yes')
  for (const id of [first, third]) await at.both('webhook-show', 'webhook', 'show', id, '--attempts')
}

async function gatherOrders(at: Gathering): Promise<void> {
  const write = (...orders: object[]) => at.write('orders.json', JSON.stringify(orders))
  const submit = ['order', 'submit', write(orderOf('A-1'), orderOf('A-2'))]
  await at.both('order-submit', ...submit, '--dry-run')
  await at.print('order-submit', 'ndjson', ...submit, '--yes')
  write(orderOf('A-1', {note: 'another content'}), orderOf('A-3'))
  await at.print('order-submit', 'json', ...submit, '--yes')
  await at.both('order-list', 'order', 'list')
  await at.both('order-list', 'order', 'show', 'A-1')
}

async function gatherCustomers(at: Gathering): Promise<void> {
  const [{customerNumber = ''} = {}] = await at.both('customer-search', 'customer', 'search', '--all')
  await at.both('customer-search', 'customer', 'search', '--facet', 'country')
  await at.both('customer-search', 'customer', 'search', '--count')
  await at.both('customer-show', 'customer', 'show', String(customerNumber))
}

async function gatherRuns(at: Gathering): Promise<void> {
  const {watches} = await recordsAt(at.locate('records.db'))
  const {who, host, pid, processStart} = describeMachine({})
  const id = '01zzzzzzzzzzzzz1'
  await watches.begin({
    ...{id, target: String(at.env.STORECTL_URL), profile: 'shop', who, host, pid, processStart, reason: null},
    ...{options: {command: 'storectl webhook replay --watch'}, startedAt: currentTime()},
  })
  const probe = {at: currentTime(), isGood: false, answer: 'answered 503'}
  await watches.writeHeartbeat(id, {probe, awaySince: currentTime(), runId: null})
  const runs = await at.both('run-list', 'run', 'list', '--all')
  await at.both('run-list', 'run', 'list', '--group-by', 'kind')
  await at.both('run-show', 'run', 'show', id)
  const replay = String(runs.find(({kind}) => kind === 'replay')?.id)
  for (const run of [replay, 'last']) await at.both('run-show', 'run', 'show', run)
  await at.both('run-show', 'run', 'show', replay, '--results')
  await at.both('run-verify', 'run', 'verify', '--all')
  await at.exec('run', 'export', replay, at.locate('report.json'))
  at.read('run-report', 'report.json')
}

function buildSampleAlert(state: 'open' | 'over') {
  const since = new Date('2026-11-20T08:00:00Z')
  const until = state === 'over' ? new Date('2026-11-20T09:00:00Z') : null
  const of = {
    id: '01zzzzzzzzzzzzz2',
    target: 'https://shop.example',
    profile: 'shop',
    kind: 'shop-away',
  } as const
  const found = {counts: {failed: 2}, amounts: [{value: '20.00', currency: 'EUR'}], cause: 'answered 503'}
  return buildAlert({incident: {...of, ...found, since, until}, state})
}
