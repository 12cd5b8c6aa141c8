import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {withLock} from '../../src/platform/lock.js'
import {temporaryFolder} from '../support/home.js'
import {type Script, script} from '../support/script.js'

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

test('a process that has the id of a dead holder is not taken for it', async () => {
  const lock = join(temporaryFolder(), 'lock')
  mkdirSync(lock)
  const {hostname} = await import('node:os')
  const host = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')
  writeFileSync(join(lock, `${process.pid}_1_${host}_${Date.now().toString(36)}_abcdef01`), '')
  expect(await withLock(lock, 1000, () => 'done')).toBe('done')
})

test('a folder that was emptied by hand becomes a lock again', async () => {
  const lock = join(temporaryFolder(), 'lock')
  mkdirSync(lock)
  expect(await withLock(lock, 1000, () => 'done')).toBe('done')
})
