import {cpSync, existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parseRequest} from '../../src/cli/manifest/argv.js'
import type {Manifest} from '../../src/cli/manifest/manifest.js'
import {seedShop} from '../../src/shop/seed/seed.js'
import {seedPayments} from '../../src/shop/seed/seed-payments.js'
import {changeState} from '../../src/shop/store/state-changes.js'
import {
  type Call,
  type CommandLine,
  findUnknownFlags,
  listBlockLines,
  listInlineCode,
  listPages,
  parseCalls,
} from '../support/command-lines.js'
import {temporaryFolder} from '../support/home.js'
import {putShop} from '../support/prepared-shop.js'
import {stateOf} from '../support/shop.js'
import {sized} from '../support/sized.js'
import {type Ended, storectl} from '../support/storectl.js'
import {prepareIncident} from '../webhook/incident.js'

const ROOT = join(import.meta.dirname, '../..')
const {commands}: Manifest = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'))
const ids = Object.keys(commands)
const {scripts} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Pages whose lines run elsewhere, word by word. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/runbooks/rotated-token.md': 'test/webhook/incident.e2e.test.ts',
}

/** Lines that do not run here, by how they begin, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'npm ': 'installs, builds or tests this clone: test/docs/clone.long.test.ts',
  'README.md: storectl ': 'test/demo/readme.e2e.test.ts compares the consoles with what a shell prints',
  'storectl webhook capture ': 'runs until it is interrupted: test/gateway/gateway.e2e.test.ts',
  'storectl webhook triage ': 'wants keys on a terminal: test/webhook/triage',
  'storectl run resume last --join':
    'wants a replay under way in another terminal: test/runs/workers.test.ts',
  'createdb ': 'wants a PostgreSQL of its own',
  'export ': 'names a PostgreSQL that is not there',
  'storectl database copy --from sqlite --to postgres': 'copies to that PostgreSQL: test/commands/database',
}

/** Lines that do not end with exit 0, by how they begin, with the reason. */
const ENDS: Readonly<Record<string, readonly [exit: number, why: string]>> = {
  "storectl payment reconcile --where 'state": [0, 'no payment is unconfirmed'],
  'storectl payment reconcile --profile shop --apply payments.plan': [3, 'some are for a person'],
  'storectl payment reconcile --apply': [3, 'some are for a person'],
  'storectl payment reconcile': [3, 'payments differ'],
  'storectl status': [3, 'events failed and payments differ'],
  'storectl order submit orders.csv --profile shop --yes --rejects': [3, 'one order is a conflict'],
  'storectl order submit rejects.csv': [5, 'it still is: nobody corrected it'],
  'storectl order submit': [3, 'one order is a conflict'],
  'storectl webhook replay --profile shop --apply restore.plan': [3, 'some events are held'],
  'storectl webhook replay --profile shop --rate 2 --yes': [3, 'some events are held'],
  'storectl webhook replay --profile shop --max none --yes': [3, 'some events are held'],
  'docs/runbooks/restored-records.md: storectl webhook replay --profile shop --yes': [
    3,
    'some events are held',
  ],
  'storectl database restored --checked': [2, 'nothing was restored here'],
  'storectl webhook list --profile shop --status failed --fail-if-any': [3, 'those that are held are left'],
}

/** What a line makes, and how much of it is enough in the fast tests. */
const LESS = ['--payments 1000', `--payments ${sized(100, 1000)}`] as const

const lookUp = <T>(table: Readonly<Record<string, T>>, {page, line}: CommandLine): T | undefined =>
  Object.entries(table).find(([start]) => line.startsWith(start) || `${page}: ${line}`.startsWith(start))?.[1]

test('every command line in a block of a page runs as written, for a shop with failed events and payments that differ', async () => {
  const {home: prepared, reopenPayments} = await prepare()
  const found: string[] = []
  for (const page of listPages()) {
    const lines = listBlockLines(page).filter(each => !lookUp(LEFT_OUT, each))
    if (lines.length === 0 || ELSEWHERE[page]) continue
    await reopenPayments()
    const home = temporaryFolder()
    cpSync(prepared, home, {recursive: true})
    for (const each of lines) {
      const {exit, stderr} = await runLine(each.line.replace(...LESS), home)
      const [expected] = lookUp(ENDS, each) ?? [0]
      if (exit !== expected) found.push(`${page}: ${each.line}: exit ${exit} and not ${expected}: ${stderr}`)
    }
  }
  expect(found).toEqual([])
}, 120_000)

test('every reason for a line that is left out, or fails, belongs to a line of a page', () => {
  const lines = listPages().flatMap(listBlockLines)
  const starts = [...Object.keys(LEFT_OUT), ...Object.keys(ENDS)]
  const isUsed = (start: string) => lines.some(each => lookUp({[start]: true}, each))
  expect(starts.filter(start => !isUsed(start))).toEqual([])
  for (const path of [...Object.values(ELSEWHERE), ...Object.values(LEFT_OUT)]) {
    const [file] = /test\/\S+/.exec(path) ?? []
    expect(file === undefined || existsSync(join(ROOT, file)), path).toBe(true)
  }
})

test('every command that a page names has the flags that it names', () => {
  const lines = listPages().flatMap(page => [...listBlockLines(page), ...listInlineCode(page)])
  const found = lines.flatMap(({page, line}) =>
    parseCalls(line).flatMap(({words}) => {
      const argv = words[0] === 'storectl' ? words.slice(1) : words
      const request = parseRequest(argv, ids)
      const isNamed = words[0] === 'storectl' || (request.kind === 'run' && line.includes(' '))
      if (!isNamed || isPlainFlag(argv)) return []
      if (request.kind !== 'run') return request.kind === 'help' ? [] : [`${page}: ${line}: no such command`]
      const unknown = findUnknownFlags(commands[request.id] as never, request.argv)
      return unknown.map(flag => `${page}: ${line}: no ${flag}`)
    }),
  )
  expect(found).toEqual([])
})

/** `storectl --version`, `storectl help exit-codes`. */
function isPlainFlag([first = '']: readonly string[]): boolean {
  return first.startsWith('-') || first === 'help'
}

test('every npm script that a page names is there', () => {
  const lines = listPages().flatMap(page => [...listBlockLines(page), ...listInlineCode(page)])
  const named = lines.flatMap(({line}) => [...line.matchAll(/\bnpm (?:run )?([a-z]+(?::[a-z0-9]+)?)/g)])
  const names = new Set(named.map(([, name = '']) => name))
  const own = ['ci', 'install', 'pack', 'root']
  expect(names.size).toBeGreaterThan(10)
  expect([...names].filter(name => !own.includes(name) && scripts[name] === undefined)).toEqual([])
})

/** A home with the profile `shop`, chosen, and what pages take for granted: events, payments, a run, a file of orders. */
async function prepare() {
  const {home, shop, events} = await prepareIncident({
    ...{'unknown-transaction': 1, 'already-final': 1, 'shop-unavailable': 2},
    ...{'out-of-order': 1, forged: 1, 'token-mismatch': 2},
  })
  await putShop(home)
  const {customers} = await seedShop({customers: 5, orders: 5}, {db: shop.db})
  const deps = {db: shop.db, signal: new AbortController().signal, onProgress: () => {}}
  await seedPayments({count: 12, drift: 0.5}, {seed: 1, customers, now: shop.clock.now()}, deps)
  const orders = readFileSync(join(ROOT, 'test/demo/orders.csv'), 'utf8')
  const correct = orders.replace(',UK,', ',GB,').replace(/^(DEMO-0018,.*),0,/m, '$1,1,')
  writeFileSync(join(home, 'orders.csv'), correct)
  writeFileSync(join(home, 'other.csv'), correct.split('\n', 2).join('\n').replace(',2,10.90,', ',7,10.90,'))
  for (const line of [
    'storectl profile use shop',
    'storectl webhook register --yes',
    'storectl order submit other.csv --yes',
  ])
    expect(await runLine(line, home)).toMatchObject({exit: 0})
  const sent = events.filter(({cause}) => cause === 'shop-unavailable' || cause === 'token-mismatch')
  /** As they were before a page replayed their events. */
  const reopenPayments = async () => {
    for (const {transactionId: id} of sent) {
      const from = await stateOf(shop, id)
      const change = {entity: 'order_transaction', id, machine: 'order_transaction.state'} as const
      if (from && from !== 'open')
        await shop.db.writes.run(db =>
          changeState(db, {...change, action: 'reopen', from, to: 'open'}, shop.clock.now()),
        )
    }
  }
  return {home, reopenPayments}
}

/** Runs what a line asks of storectl; programs beside it are taken to work. @returns how the last one ended */
async function runLine(line: string, home: string): Promise<Ended> {
  let ended: Ended = {exit: 0, stdout: '', stderr: ''}
  for (const call of parseCalls(line)) {
    const isDue = call.operator === '&&' ? ended.exit === 0 : call.operator !== '||' || ended.exit !== 0
    if (call.words[0] !== 'storectl' || !isDue) continue
    const {argv, file} = splitRedirection(call)
    const stdin = argv.some(word => word.endsWith('-stdin')) ? 'secret' : ''
    ended = await storectl(
      argv.map(word => placeFile(word, home)),
      {home, stdin},
    )
    if (file) writeFileSync(join(home, file), ended.stdout)
  }
  return ended
}

/** Files of a line are in the home, which is not this process's folder. */
function placeFile(word: string, home: string): string {
  return /^[\w.-]+\.(csv|plan|html)$/.test(word) ? join(home, word) : word
}

function splitRedirection({words}: Call): {argv: string[]; file?: string} {
  const at = words.findIndex(word => /^[<>]+$/.test(word))
  if (at < 0) return {argv: words.slice(1)}
  const file = words[at] === '>' ? words[at + 1] : undefined
  return {argv: words.slice(1, at), ...(file === undefined ? {} : {file})}
}
