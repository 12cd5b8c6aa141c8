import pg from 'pg'
import {expect, onTestFinished, test, vi} from 'vitest'
import {stopInTime} from '../../src/cli/stop-in-time.js'
import {Interruption, type StopCause} from '../../src/platform/interruption.js'
import {testContext} from '../support/context.js'
import {temporaryFolder} from '../support/home.js'
import {ask, newDatabase} from '../support/postgres/database.js'
import {storectl} from '../support/storectl.js'
import {until} from '../support/until.js'
import {event, eventId, ndjson} from '../webhook/support.js'

/** A database with one event that somebody holds every table of. */
async function lockedDatabase() {
  const url = await newDatabase()
  const home = temporaryFolder()
  const env = {STORECTL_URL: 'https://shop.example', STORECTL_DATABASE_URL: url}
  await storectl(['webhook', 'import', '-'], {home, env, stdin: ndjson([event(1)])})
  const {rows} = await ask(url, 'select tablename from pg_tables where schemaname = current_schema()')
  const holder = new pg.Client({connectionString: url})
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query(
    `begin; lock table ${rows.map(({tablename}) => tablename).join()} in access exclusive mode`,
  )
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  const waitFor = (count: number) =>
    until(`${count} wait for a lock`, async () => (await ask(url, waiting)).rowCount === count)
  return {home, env, waitFor, release: () => holder.query('rollback')}
}

test('a read that waits for a lock of PostgreSQL ends with 130 at the first Ctrl-C', async () => {
  const database = await lockedDatabase()
  const reads = [
    ['webhook', 'list'],
    ['webhook', 'show', eventId(1)],
    ['run', 'list'],
    ['webhook', 'diagnose'],
    ['database', 'status'],
  ]
  const contexts = reads.map(() => testContext(database))
  const ending = reads.map((words, at) => storectl(words, contexts[at]))
  await database.waitFor(reads.length)
  for (const {interruption} of contexts) interruption.stop('SIGINT')
  expect(await Promise.all(ending)).toEqual(reads.map(() => ({exit: 130, stdout: '', stderr: ''})))
})

test('a change that waits for a lock says at the first Ctrl-C that it goes on', async () => {
  const database = await lockedDatabase()
  const context = testContext({...database, stdin: ndjson([event(2)])})
  const ending = storectl(['webhook', 'import', '-'], context)
  await database.waitFor(1)
  context.interruption.stop('SIGINT')
  await until('it says so', () => context.err().includes('a second Ctrl-C ends at once'))
  await database.release()
  expect((await ending).exit).toBe(130)
})

const READ = {changes: false, endsBySignal: false}
const CHANGE = {changes: true, endsBySignal: false}
const SERVER = {changes: false, endsBySignal: true}

test.each<[string, {kind: typeof READ; cause?: StopCause; words?: string}, string]>([
  ['a read is left', {kind: READ}, 'stopped: SIGINT'],
  ['a read whose reader has gone is left', {kind: READ, cause: 'output-closed'}, 'stopped: output-closed'],
  ['a change says so', {kind: CHANGE}, 'stopping: finishing what is in flight'],
  ['a change whose reader has gone says nothing', {kind: CHANGE, cause: 'output-closed'}, ''],
  ['a run has said so itself', {kind: CHANGE, words: '3 may be sent'}, ''],
  ['a server ends as it does', {kind: SERVER}, ''],
])('what takes long to stop: %s', async (_, {kind, cause = 'SIGINT', words}, expected) => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
  onTestFinished(() => void vi.useRealTimers())
  const interruption = new Interruption()
  if (words !== undefined) interruption.registerLastMessage(() => words)
  const {host, err} = testContext()
  const work = new Promise<void>(resolve => void setTimeout(resolve, 60_000))
  const ending = stopInTime(work, {interruption, stderr: host.stderr}, kind).then(err, String)
  interruption.stop(cause)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await ending).toEqual(expected === '' ? '' : expect.stringContaining(expected))
  expect(vi.getTimerCount()).toBe(0)
})
