import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {type Script, script} from '../../support/script.js'

let made: Script
beforeAll(async () => {
  made = await script('test/support/lock-process.ts')
})
afterAll(() => made.remove())

test('500 kills during writes leave a readable file every time, mode 0600', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'store.json')
  for (let at = 0; at < 500; at++) {
    const child = spawn(process.execPath, [made.file, 'write', folder, '1000'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    await new Promise(resolve => setTimeout(resolve, (at * 13) % 60))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const text = statSync(file, {throwIfNoEntry: false}) ? readFileSync(file, 'utf8') : '{}'
    expect(() => JSON.parse(text)).not.toThrow()
  }
  expect(statSync(file).mode & 0o777).toBe(0o600)
}, 600_000)
