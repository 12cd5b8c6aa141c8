import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import sqlite from '@photostructure/sqlite'
import {expect, test} from 'vitest'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {runProcess} from '../../support/process.js'
import {onTerminal, type Terminal} from '../../support/terminal.js'
import {bareNdjson, event} from '../support.js'

const EVENTS = 1_000_000
const IMPORTED = 1000

/** States of payments, by turns; the last one is that of a payment that the shop does not know. */
const STATES = ['open', 'refunded', 'reminded', 'paid', 'refunded_partially', undefined]

/** A shop that computes the states of payments instead of storing them. */
async function startShop() {
  const calls = {searches: 0}
  const {url, received} = await endpoint(({url: path, body}) => {
    received.length = 0
    if (!path.startsWith('/api/search/')) return {status: 404, body: {}}
    calls.searches++
    const {ids = []} = JSON.parse(body) as {ids?: string[]}
    const data = ids.flatMap(id => {
      const technicalName = STATES[Number.parseInt(id, 16) % STATES.length]
      const own = {
        stateMachineState: {technicalName},
        amount: {totalPrice: 10},
        order: {currency: {isoCode: 'EUR'}},
      }
      return technicalName === undefined ? [] : [{id, ...own}]
    })
    return {status: 200, body: {total: data.length, data, aggregations: []}}
  })
  return {
    calls,
    env: {STORECTL_URL: url, STORECTL_TOKEN: 'signed-in', STORECTL_WEBHOOK_TOKEN: 'x'.repeat(32)},
  }
}

/** Copies the imported events, each with an id and a payment of its own. */
function multiply(home: string): void {
  const database = new sqlite.DatabaseSync(join(home, 'records.db'))
  database.exec('PRAGMA synchronous = off; BEGIN')
  const columns = (table: string) =>
    database
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(row => String((row as {name: unknown}).name))
  const copy = (table: string, changed: Readonly<Record<string, string>>) => {
    const names = columns(table)
    const values = names.map(name => changed[name] ?? `e."${name}"`)
    database.exec(`
      with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ${EVENTS / IMPORTED - 1})
      insert into ${table} ("${names.join('", "')}")
      select ${values.join(', ')} from (
        select *, substr(id, -17) + 0 as seed, substr(id, -17) + 0 + copies.n * ${IMPORTED} as fresh
        from ${table}, copies
      ) e`)
  }
  const id = `printf('WH-%017d-%017d', fresh, fresh)`
  const payment = (column: string) => `replace(${column}, printf('%032x', seed), printf('%032x', fresh))`
  const named = Object.fromEntries(
    ['transaction_key', 'ordering_keys', 'traits'].map(name => [name, payment(name)]),
  )
  copy('webhook_body', {id, body: `cast(${payment('cast(body as text)')} as blob)`})
  copy('webhook_event', {id, ...named, created_at_ms: 'created_at_ms - fresh'})
  database.exec('COMMIT')
  database.close()
}

/** Memory that a process has now, MiB; as the system counts it. */
function readMemory(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes ?? 0) / 1024)
}

test('a million events are diagnosed at flat memory, with the state check', async () => {
  const {calls, env} = await startShop()
  const home = temporaryFolder()
  const whole = {...env, STORECTL_HOME: home}
  const events = Array.from({length: IMPORTED}, (_, index) => event(index))
  expect((await runProcess(['webhook', 'import', '-'], {env: whole, stdin: bareNdjson(events)})).exit).toBe(0)
  multiply(home)
  const peaks = [0, 0, 0, 0, 0]
  const follow = (terminal: Terminal) => {
    const watch = setInterval(() => {
      const title = terminal.lines[0] ?? ''
      const [, diagnosed = '0'] = /([\d,]+) of 1,000,000 events diagnosed/.exec(title) ?? []
      const fifth = Math.min(4, Math.floor((5 * Number(diagnosed.replaceAll(',', ''))) / EVENTS))
      if (title.includes(' of ')) peaks[fifth] = Math.max(peaks[fifth] ?? 0, readMemory(terminal.pid))
      else if (title.includes('1,000,000 events')) {
        clearInterval(watch)
        terminal.write('q')
      }
    }, 200)
  }
  const {exit} = await onTerminal(['webhook', 'triage'], [['diagnosed', follow]], whole, [100, 30])
  process.stdout.write(`MiB by fifths: ${peaks.join(', ')}; searches: ${calls.searches}\n`)
  expect([exit, calls.searches]).toEqual([0, EVENTS / 250])
  // Node takes what it needs within the first fifths; nothing is added for the events after them.
  expect(Math.max(...peaks.slice(2))).toBeLessThan(1.25 * Math.max(...peaks.slice(0, 2)))
  expect(Math.max(...peaks)).toBeLessThan(256)
}, 3_600_000)
