import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {withLock} from '../../../src/platform/files/exclusive-lock.js'
import {processSpace} from '../../../src/platform/processes.js'
import {temporaryFolder} from '../../support/home.js'
import {type Script, script} from '../../support/script.js'

let made: Script
beforeAll(async () => {
  made = await script('test/support/lock-process.ts')
})
afterAll(() => made.remove())

function start(...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [made.file, ...words], {stdio: ['ignore', 'pipe', 'inherit']})
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function killedWhileHolding(folder: string): Promise<void> {
  const holder = start('hold', folder)
  await once(holder.stdout as NodeJS.ReadableStream, 'data')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
}

test('many processes take turns, also after one that was killed while it held the lock', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'counter'), '0')
  await killedWhileHolding(folder)
  const ends = Array.from({length: 12}, async () => (await once(start('count', folder, '20'), 'exit'))[0])
  expect(await Promise.all(ends)).toEqual(Array.from({length: 12}, () => 0))
  expect(readFileSync(join(folder, 'counter'), 'utf8')).toBe('240')
  expect(readdirSync(join(folder, 'lock'))).toEqual(['free'])
})

test('within one process, one piece of work waits for the other', async () => {
  const lock = join(temporaryFolder(), 'lock')
  const log: string[] = []
  const work = (name: string) =>
    withLock(lock, 5000, async () => {
      log.push(`${name} begins`)
      await new Promise(resolve => setTimeout(resolve, 5))
      log.push(`${name} ends`)
    })
  await Promise.all([work('a'), work('b'), work('c')])
  for (let at = 0; at < log.length; at += 2) expect(log[at + 1]).toBe(log[at]?.replace('begins', 'ends'))
})

test('a lock is given back when the work fails', async () => {
  const lock = join(temporaryFolder(), 'lock')
  const failing = withLock(lock, 1000, () => {
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  expect(await withLock(lock, 1000, () => 'done')).toBe('done')
})

test('a living holder is waited for, and named when it does not let go', async () => {
  const folder = temporaryFolder()
  const holder = start('hold', folder)
  await once(holder.stdout as NodeJS.ReadableStream, 'data')
  await expect(withLock(join(folder, 'lock'), 100, () => 'done')).rejects.toMatchObject({
    code: 'unavailable.locked',
    message: expect.stringContaining(`Process ${holder.pid} holds`),
  })
})

/** A lock that is held, by the parts of the holder's name that are not this process's. */
async function heldLock(other: {start?: string; host?: string; heldForMs?: number}): Promise<string> {
  const lock = join(temporaryFolder(), 'lock')
  let mine = ''
  await withLock(lock, 1000, () => {
    mine = readdirSync(lock)[0] ?? ''
  })
  const [pid, start, host, since = ''] = mine.split('_')
  const from = (Number.parseInt(since, 36) - (other.heldForMs ?? 0)).toString(36)
  const name = [pid, other.start ?? start, other.host ?? host, from, 'abcdef01'].join('_')
  renameSync(join(lock, 'free'), join(lock, name))
  return lock
}

test('a process that has the id of a dead holder is not taken for it', async () => {
  expect(await withLock(await heldLock({start: '1'}), 1000, () => 'done')).toBe('done')
})

test.each([1000, -1000])('a holder on another machine is taken to live: since %i ms', async heldForMs => {
  const lock = await heldLock({host: 'web-1', heldForMs})
  await expect(withLock(lock, 50, () => 'done')).rejects.toMatchObject({
    code: 'unavailable.locked',
    message: expect.stringContaining('of the machine or container web-1'),
    nextSteps: [expect.stringContaining(`rm -r ${lock}`), 'run the command again'],
  })
})

test.each([
  ['held for six minutes', 360_000],
  ['held since an hour from now, by a clock that was set back', -3_600_000],
])('a holder on another machine is not waited for for ever: %s', async (_, heldForMs) => {
  expect(await withLock(await heldLock({host: 'web-1', heldForMs}), 1000, () => 'done')).toBe('done')
})

test('our own clock may be set back by an hour while others wait', async () => {
  const lock = await heldLock({start: '1', heldForMs: -3_600_000})
  expect(await withLock(lock, 1000, () => 'done')).toBe('done')
})

test('the same id in another container of the same name is another process', async () => {
  if (processSpace() === '') return
  const lock = await heldLock({start: '1', host: `${hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')}.1`})
  await expect(withLock(lock, 50, () => 'done')).rejects.toMatchObject({code: 'unavailable.locked'})
})

test('a place that takes no lock is named', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'locks'), '')
  await expect(withLock(join(folder, 'locks', 'token'), 1000, () => 'done')).rejects.toMatchObject({
    code: 'usage.folder_is_a_file',
  })
  const proc = '/proc/self/fdinfo/lock'
  if (existsSync('/proc/self')) {
    await expect(withLock(proc, 1000, () => 'done')).rejects.toMatchObject({
      message: expect.stringContaining(proc),
    })
  }
})

test('a folder that was emptied by hand becomes a lock again', async () => {
  const lock = join(temporaryFolder(), 'lock')
  mkdirSync(lock)
  expect(await withLock(lock, 1000, () => 'done')).toBe('done')
})
