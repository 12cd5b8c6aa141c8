import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {warmHome} from '../support/home.js'
import {loginWords} from '../support/login-words.js'
import {ended, runProcess, startProcess} from '../support/process.js'
import {script} from '../support/script.js'
import {tokenShop} from '../support/shop-endpoint.js'

const PROCESSES = 20

async function signedIn(url: string): Promise<string> {
  const home = warmHome()
  const argv = loginWords(url)
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

/** Leaves the lock of the profile's renewal as a process does that is killed while it holds it. */
async function leaveLock(home: string): Promise<void> {
  const made = await script('test/support/lock-process.ts')
  const locks = join(home, 'locks')
  const child = spawn(process.execPath, [made.file, 'hold', locks, 'token-shop'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  made.remove()
  expect(readdirSync(join(locks, 'token-shop'))[0]).toMatch(new RegExp(`^${child.pid}_`))
}

test(`${PROCESSES} processes with an ended token and a dead holder's lock make one token request`, async () => {
  const shop = await tokenShop()
  const home = await signedIn(shop.url)
  expire(home)
  await leaveLock(home)
  const ends = await Promise.all(
    Array.from({length: PROCESSES}, () => {
      const child = startProcess(['auth', 'token'], {env: {STORECTL_HOME: home}})
      return ended(child)
    }),
  )
  expect(new Set(ends.map(end => JSON.stringify(end)))).toEqual(
    new Set([JSON.stringify({exit: 0, stdout: 'token-2\n', stderr: ''})]),
  )
  expect(shop.grants()).toHaveLength(2)
  expect(statSync(join(home, 'credentials.json')).mode & 0o777).toBe(0o600)
})
