import {spawn} from 'node:child_process'
import {existsSync, readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, inject, test} from 'vitest'
import {loadSqlite} from '../../../src/storage/sqlite/connection.js'
import {temporaryFolder, warmHome} from '../../support/home.js'
import {ended, runProcess, startProcess} from '../../support/process.js'
import {nameOf} from '../../support/skipped.js'
import {until} from '../../support/until.js'
import {event, eventId, ndjson} from '../support.js'

const onLinux = process.platform === 'linux'
const LIST = ['webhook', 'list', '--follow', '-o', 'ndjson', '--fields', 'id,status']

function inHome(home = warmHome()) {
  const env = {STORECTL_HOME: home, STORECTL_URL: 'https://shop.example'}
  const run = (words: string[], stdin = '') => runProcess(words, {env, stdin})
  return {home, env, run}
}

/** Follows in a process of its own. */
function following(env: Record<string, string>, words = LIST) {
  const child = startProcess(words, {env})
  let text = ''
  child.stdout?.on('data', chunk => {
    text += chunk
  })
  const sees = (part: string) => until(`it prints ${part}`, () => text.includes(part))
  return {child, sees, end: ended(child)}
}

test('--follow tells what other processes write, line by line, and ends with 130 at Ctrl-C', async () => {
  const {env, run} = inHome()
  await run(['webhook', 'import', '-'], ndjson([event(1)]))
  const {child, sees, end} = following(env)
  await sees(`{"id":"${eventId(1)}","status":"pending"}\n`)
  await run(['webhook', 'import', '-'], ndjson([event(2)]))
  await sees(`{"id":"${eventId(2)}","status":"pending"}\n`)
  await run(['webhook', 'resolve', eventId(1), '--reason', 'x'])
  await sees(`{"id":"${eventId(1)}","status":"resolved"}\n`)
  child.kill('SIGINT')
  const {exit, stderr} = await end
  expect([exit, stderr]).toEqual([130, ''])
})

test('--follow goes on while another process prunes and rewrites the file', async () => {
  const {env, run} = inHome()
  const old = {createdAt: '2020-01-01T00:00:00.000Z'}
  await run(['webhook', 'import', '-'], ndjson([event(1), event(2, old)]))
  const {child, sees, end} = following(env)
  await sees(eventId(1))
  const pruned = await run(['webhook', 'prune', '--older-than', '30d', '--yes', '-o', 'json'])
  expect(JSON.parse(pruned.stdout)).toMatchObject({pruned: 1, erased: true})
  await run(['webhook', 'import', '-'], ndjson([event(3)]))
  await sees(eventId(3))
  child.kill('SIGTERM')
  expect((await end).exit).toBe(143)
})

test('a reader that is gone ends --follow with 0', async () => {
  const {env, run} = inHome()
  await run(['webhook', 'import', '-'], ndjson([event(1)]))
  const {child, sees, end} = following(env)
  await sees(eventId(1))
  child.stdout?.destroy()
  await run(['webhook', 'import', '-'], ndjson([event(2)]))
  expect((await end).exit).toBe(0)
})

test.skipIf(!onLinux)(
  nameOf('a pipe that its reader has closed ends --follow before the next event comes', !onLinux && 'Linux'),
  async () => {
    const {env, run} = inHome()
    await run(['webhook', 'import', '-'], ndjson([event(1)]))
    const script = '"$@" | head -1; echo "$PIPESTATUS"'
    const words = [inject('node'), inject('storectl'), 'webhook', 'list', '--follow', '-o', 'ndjson']
    const child = spawn('bash', ['-c', script, 'bash', ...words], {
      env: {...env, PATH: process.env.PATH ?? ''},
    })
    const {stdout, stderr} = await ended(child)
    expect(stdout.trimEnd().split('\n')).toEqual([expect.stringContaining(eventId(1)), '0'])
    expect(stderr).not.toContain('error')
  },
)

test('a backup that is killed leaves no file of its name', async () => {
  const {home, env, run} = inHome()
  await run(['webhook', 'import', '-'], ndjson(Array.from({length: 2000}, (_, at) => event(at))))
  const path = join(home, 'copy.db')
  const child = startProcess(['database', 'backup', path], {env})
  const end = ended(child)
  const isCopying = () => readdirSync(home).some(name => name.includes('.tmp'))
  await until('it copies, or has', () => isCopying() || child.exitCode !== null)
  child.kill('SIGKILL')
  const {exit} = await end
  if (exit !== 0) expect(existsSync(path)).toBe(false)
  expect((await run(['database', 'backup', path])).exit).toBe(exit === 0 ? 2 : 0)
})

test('Ctrl-C ends a backup before SQLite is done with it, and leaves nothing of it', async () => {
  const {home, env, run} = inHome()
  await run(['webhook', 'import', '-'], ndjson([event(1)]))
  const Sqlite = await loadSqlite()
  const database = new Sqlite(join(home, 'records.db'))
  database.exec('create table ballast (bytes blob)')
  for (let at = 0; at < 20; at++) database.exec('insert into ballast values (randomblob(10000000))')
  database.close()
  const folder = temporaryFolder()
  const child = startProcess(['database', 'backup', join(folder, 'copy.db')], {env})
  const end = ended(child)
  const isWriting = () => readdirSync(folder).some(name => statSync(join(folder, name)).size > 0)
  await until('it writes', isWriting)
  child.kill('SIGINT')
  expect((await end).exit).toBe(130)
  expect(readdirSync(folder)).toEqual([])
})
