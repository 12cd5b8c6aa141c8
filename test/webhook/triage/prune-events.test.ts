import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../../src/records/index.js'
import {recordsMigrations} from '../../../src/records/schema/contents.js'
import type {RecordsTables} from '../../../src/records/schema/schema.js'
import {createRunId} from '../../../src/runs/journal/run-id.js'
import {openDatabase} from '../../../src/storage/index.js'
import {forgetOld} from '../../../src/webhook/import/staging.js'
import {prune} from '../../../src/webhook/triage/triage.js'
import {currentTime, timeAgo} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {event, eventId, file, ndjson, replay, testShop, transactionId} from '../support.js'

const TARGET = 'https://shop.example'
const daysAgo = (days: number) => timeAgo(days * 86_400_000)

/** An event of so many days ago, with the name of a payer in body and headers. */
function told(index: number, days: number, payer = `Payer-${index}-Lovelace`) {
  const body = JSON.stringify({...event(index, {createdAt: daysAgo(days)}), payer, more: 'x'.repeat(3000)})
  return {headers: {'X-Payer': `header-${payer}`}, body}
}

async function inboxOf(events: object[]) {
  const home = temporaryFolder()
  const run = (words: string[], stdin = '') => storectl(words, {home, stdin, env: {STORECTL_URL: TARGET}})
  const json = async (...words: string[]) => {
    const ended = await run([...words, '-o', 'json'])
    return {...ended, row: ended.stdout === '' ? undefined : JSON.parse(ended.stdout)}
  }
  expect((await run(['webhook', 'import', '-'], ndjson(events))).exit).toBe(0)
  const bytes = () =>
    ['', '-wal', '-shm']
      .map(end => join(home, `records.db${end}`))
      .filter(path => existsSync(path))
      .map(path => readFileSync(path, 'latin1'))
      .join('')
  return {home, run, json, bytes, database: join(home, 'records.db')}
}

const PRUNE = ['webhook', 'prune', '--older-than', '30d']

test('a prune of many batches has one row in the ledger, written with the first', async () => {
  const notes: unknown[] = []
  const batches = [500, 500, 7, 0]
  const {row} = await prune(
    {before: new Date(0), keepFailed: false},
    {
      inbox: {
        countOutdated: async () => ({statuses: {failed: 1007}, bodyBytes: 1, inUse: 0}) as never,
        prune: async (_target, _outdated, note) => {
          notes.push(note)
          return batches.shift() ?? 0
        },
        forgetBetween: async () => {},
      },
      ...{target: TARGET, now: new Date(1000), who: 'ada', confirm: async () => {}},
      erase: async () => ({kind: 'erased'}) as never,
      ...{signal: new AbortController().signal, isDryRun: false},
    },
  )
  expect(row).toMatchObject({events: 1007, pruned: 1007, erased: true})
  expect(notes).toEqual([{who: 'ada', events: 1007}, undefined, undefined, undefined])
})

test('what is pruned is gone from the bytes of the file, and what stays is whole', async () => {
  const events = Array.from({length: 60}, (_, at) => told(at, at % 3 === 0 ? 1 : 40))
  const {run, json, bytes} = await inboxOf(events)
  for (const at of [1, 2])
    await run(['webhook', 'resolve', eventId(at), '--reason', `because of Payer-${at}`])
  expect(bytes()).toContain('Payer-1-Lovelace')
  const {exit, row} = await json(...PRUNE, '--yes')
  expect(exit).toBe(0)
  expect(row).toMatchObject({
    events: 40,
    pruned: 40,
    erased: true,
    inUse: 0,
    statuses: {pending: 38, resolved: 2},
  })
  const left = bytes()
  for (let at = 0; at < 60; at++) expect(left.includes(`Payer-${at}-Lovelace`)).toBe(at % 3 === 0)
  // What was done stays known, with its reason.
  const {row: runs} = await json('run', 'list', '--kind', 'resolve')
  expect(runs[1]).toMatchObject({reason: 'because of Payer-1', counts: {resolved: 1}})
  const raw = (await run(['webhook', 'show', eventId(3), '--raw'])).stdout
  expect(JSON.parse(raw)).toMatchObject({id: eventId(3), payer: 'Payer-3-Lovelace', more: 'x'.repeat(3000)})
  expect((await json('webhook', 'list', '--all')).row).toHaveLength(20)
})

test('a person is found by --where, then erased from the bytes of the file; what is still held is said', async () => {
  const payer = (name: string) => ({
    name: {given_name: name, surname: 'Lovelace'},
    email_address: `${name}@example.org`.toLowerCase(),
    payer_id: `ID-${name}`,
  })
  const name = (at: number) => (at % 10 === 0 ? 'Ada' : `Zoe${at}`)
  const events = Array.from({length: 40}, (_, at) => {
    const one = event(at, {createdAt: daysAgo(1)})
    return {...one, resource: {...one.resource, payer: payer(name(at)), more: 'x'.repeat(2000)}}
  })
  const {run, json, bytes, home} = await inboxOf(events)
  const reason = ['--reason', 'ticket 1']
  await run(['webhook', 'resolve', eventId(10), eventId(11), ...reason, '--yes'])
  await run(['database', 'backup', join(home, 'copy.db')])
  const who = ['--where', 'payer = "ADA@example.org"']
  const found = await json('webhook', 'list', ...who)
  expect(found.row.map(({id}: {id: string}) => id).sort()).toEqual([0, 10, 20, 30].map(eventId))
  expect(found.stdout).not.toContain('ada@example.org')
  const dry = await json('webhook', 'prune', ...who, '--dry-run')
  const counts = {before: null, events: 4, runs: 1, backups: 1, statuses: {pending: 3, resolved: 1}}
  expect(dry.row).toMatchObject({...counts, pruned: 0})
  expect(bytes()).toContain('ID-Ada')
  expect((await run(['webhook', 'prune', ...who])).exit).toBe(2)
  const {exit, row} = await json('webhook', 'prune', ...who, '--yes')
  expect([exit, row.pruned, row.erased]).toEqual([0, 4, true])
  expect(row.stillHeld).toContain('1 run (ids, hashes,')
  expect(row.stillHeld).toContain('1 backup made since the first event arrived')
  const left = bytes()
  for (const text of ['ID-Ada', 'ada@example.org', '"Ada"']) expect(left, text).not.toContain(text)
  const again = await json('webhook', 'prune', ...who, '--dry-run')
  expect(again.row).toMatchObject({events: 0, stillHeld: null})
  expect(again.stderr).toMatch(/^No such events in the inbox of .*\nDry run: nothing was deleted\n$/)
  for (const at of [1, 11, 39]) expect(left).toContain(`ID-Zoe${at}`)
  expect((await json('webhook', 'list', '--all')).row).toHaveLength(36)
  expect((await run(['run', 'verify', '--all'])).exit).toBe(0)
  const neither = await run(['webhook', 'prune', '--yes'])
  expect([neither.exit, neither.stderr]).toEqual([
    2,
    expect.stringContaining('Missing --older-than or --where'),
  ])
})

test('a prune also clears what was deleted before, by whatever deleted it', async () => {
  const {run, bytes} = await inboxOf([told(1, 40)])
  const put = ndjson(Array.from({length: 20}, (_, at) => told(100 + at, 1)))
  const looked = await run(['webhook', 'replay', '-', '--dry-run', '--no-check-state'], put)
  expect([looked.exit, bytes().includes('Payer-110-Lovelace')]).toEqual([0, true])
  await run([...PRUNE, '--yes'])
  expect(bytes()).not.toContain('Payer-110-Lovelace')
})

test('a dry run counts and deletes nothing; without a yes nothing is deleted either', async () => {
  const {run, json} = await inboxOf([told(1, 40), told(2, 1)])
  const dry = await json(...PRUNE, '--dry-run')
  expect(dry.row).toMatchObject({events: 1, pruned: 0, erased: null, statuses: {pending: 1}})
  expect(dry.row.bodyBytes).toBeGreaterThan(3000)
  expect((await run(PRUNE)).exit).toBe(2)
  expect((await json('webhook', 'list')).row).toHaveLength(2)
})

test('--keep-failed deletes only what was delivered or resolved; runs keep their records', async () => {
  const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'refunded'})
  const home = temporaryFolder()
  const run = (words: string[]) => storectl(words, {home, env: shop.env})
  const old = {createdAt: daysAgo(2)}
  const path = file(ndjson([event(1, old), event(2, old)]))
  const {rows} = await replay(shop, [path, '--include-out-of-order', '--retries', '0'], {home})
  const pruned = await run(['webhook', 'prune', '--older-than', '1d', '--keep-failed', '--yes', '-o', 'json'])
  expect(JSON.parse(pruned.stdout)).toMatchObject({pruned: 1, statuses: {delivered: 1}})
  const ids = (await run(['webhook', 'list', '-o', 'id'])).stdout
  expect(ids).toBe(`${eventId(2)}\n`)
  expect((await run(['run', 'show', rows[0].run, '--results', '-o', 'id'])).stdout).toContain(eventId(1))
  expect((await run(['run', 'verify', '--all'])).exit).toBe(0)
  const report = JSON.parse((await run(['run', 'export', rows[0].run, '--format', 'json'])).stdout)
  // Both amounts are those of the journal: the inbox has one of the events.
  expect(report.amounts).toEqual([{value: '20.00', currency: 'EUR'}])
  expect(report.auditLog.ledgerRows).toMatchObject([{kind: 'opened'}, {kind: 'closed'}])
  const again = await replay(shop, [path, '--max-age', 'none'], {home})
  expect(again.outcomes).toContainEqual([eventId(1), 'skipped'])
})

test('what a run that has not ended is going to send stays', async () => {
  const {json, database} = await inboxOf([told(1, 40), told(2, 40)])
  const db = await openDatabase<RecordsTables>(database, {
    migrations: recordsMigrations,
    now: currentTime,
  })
  await db.writes.run(async tables => {
    const times = {
      started_at_ms: currentTime().getTime(),
      heartbeat_at_ms: currentTime().getTime(),
      ended_at_ms: null,
    }
    await tables
      .insertInto('run')
      .values({
        ...{id: 'run-1', kind: 'replay', target: TARGET, profile: 'p', who: 'ada', host: 'h', pid: 1},
        ...{process_start: '0', reason: null, state: 'running', ...times, options: '{}', total: 1},
        ...{counts: '{}', stop_code: null, stop_reason: null, continues: null},
      } as RecordsTables['run'])
      .execute()
    await tables
      .insertInto('run_plan')
      .values({
        run_id: 'run-1',
        position: 0,
        item: eventId(1),
        ordering_key: 'a',
        block: 0,
        unsure: 0,
        metadata: null,
      })
      .execute()
  })
  expect((await json(...PRUNE, '--yes')).row).toMatchObject({events: 1, pruned: 1, inUse: 1})
  await db.writes.run(tables => tables.updateTable('run').set({total: null}).execute())
  expect((await json(...PRUNE, '--dry-run')).row).toMatchObject({events: 0, inUse: 1})
  await db.writes.run(tables => tables.updateTable('run').set({state: 'completed'}).execute())
  await db.close()
  expect((await json(...PRUNE, '--yes')).row).toMatchObject({pruned: 1, inUse: 0})
})

test('while another reads the file, pieces may be left: it is said, and the same again clears them', async () => {
  const {json, bytes, database} = await inboxOf([told(1, 40)])
  const other = await openRecords(database, currentTime)
  const reading = other.inbox.list(TARGET, {order: {field: 'type', descending: true}})[Symbol.asyncIterator]()
  await reading.next()
  const first = await json(...PRUNE, '--yes')
  expect(first).toMatchObject({exit: 3, row: {pruned: 1, erased: false}})
  expect(first.stderr).toContain('may still contain deleted data')
  expect(bytes()).toContain('Payer-1-Lovelace')
  await reading.return?.()
  await other.close()
  expect(await json(...PRUNE, '--yes')).toMatchObject({exit: 0, row: {pruned: 0, erased: true}})
  expect(bytes()).not.toContain('Payer-1-Lovelace')
}, 30_000)

test('the events of another shop stay', async () => {
  const {home, json} = await inboxOf([told(1, 40)])
  const env = {STORECTL_URL: 'https://other.example'}
  const other = await storectl([...PRUNE, '--yes', '-o', 'json'], {home, env})
  expect(JSON.parse(other.stdout)).toMatchObject({pruned: 0})
  expect((await json('webhook', 'list')).row).toHaveLength(1)
})

test('what a killed process has put aside is forgotten after a day', async () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const forgotten: string[] = []
  await forgetOld({forgetBetween: async (first, end) => void forgotten.push(first, end)}, now)
  const [first = '', end = ''] = forgotten
  const isForgotten = (hoursAgo: number) => {
    const name = `aside:${createRunId(new Date(now.getTime() - hoursAgo * 3_600_000), () => 0.5)}`
    return name >= first && name < end
  }
  expect([isForgotten(25), isForgotten(24.1), isForgotten(23.9), isForgotten(0)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})
