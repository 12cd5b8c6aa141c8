import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, readFileSync, renameSync, statSync, writeFileSync} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {ended, runProcess, startProcess} from '../support/process.js'
import {tokenShop} from '../support/shop-endpoint.js'

const PROCESSES = 50

/** On a machine that is free; a busy one gets as much more time as it takes to start bare processes. */
const PATIENCE_MS = 3000
const BARE_STARTS_MS = 700

async function signedIn(url: string): Promise<string> {
  const home = temporaryFolder()
  const argv = ['login', '--profile', 'shop', '--url', url, '--client-id', 'SWIAX', '--client-secret-stdin']
  const {exit} = await runProcess(argv, {env: {STORECTL_HOME: home}, stdin: 'hidden-secret'})
  expect(exit).toBe(0)
  return home
}

function expire(home: string): void {
  const file = join(home, 'credentials.json')
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  kept.shop.token.expiresAt = '2020-01-01T00:00:00.000Z'
  writeFileSync(file, JSON.stringify(kept))
}

/** How long as many processes take that do nothing. */
async function bareStartsMs(): Promise<number> {
  const begun = performance.now()
  const starts = Array.from({length: PROCESSES}, () => once(spawn(process.execPath, ['-e', '0']), 'exit'))
  await Promise.all(starts)
  return performance.now() - begun
}

/** Leaves the lock of the profile's renewal as a process does that is killed while it holds it. */
async function leaveLock(home: string): Promise<void> {
  const child = startProcess(['server', 'start'], {env: {STORECTL_HOME: temporaryFolder()}})
  const {pid} = child
  const host = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')
  child.kill('SIGKILL')
  await once(child, 'close')
  const lock = join(home, 'locks', 'token-shop')
  mkdirSync(lock, {recursive: true})
  writeFileSync(join(lock, 'free'), '')
  renameSync(join(lock, 'free'), join(lock, `${pid}_1_${host}_${Date.now().toString(36)}_abcdef01`))
}

test(`${PROCESSES} processes with an ended token and a dead holder's lock make one token request`, async () => {
  const shop = await tokenShop()
  const home = await signedIn(shop.url)
  expire(home)
  await leaveLock(home)
  const patienceMs = PATIENCE_MS * Math.max(1, (await bareStartsMs()) / BARE_STARTS_MS)
  const begun = performance.now()
  const ends = await Promise.all(
    Array.from({length: PROCESSES}, () => {
      const child = startProcess(['auth', 'token'], {env: {STORECTL_HOME: home}})
      return ended(child)
    }),
  )
  const tookMs = performance.now() - begun
  expect(new Set(ends.map(end => JSON.stringify(end)))).toEqual(
    new Set([JSON.stringify({exit: 0, stdout: 'token-2\n', stderr: ''})]),
  )
  expect(shop.grants()).toHaveLength(2)
  expect(statSync(join(home, 'credentials.json')).mode & 0o777).toBe(0o600)
  expect(tookMs).toBeLessThan(patienceMs)
})
