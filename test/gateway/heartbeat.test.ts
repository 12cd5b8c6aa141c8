import {createServer} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'

test('a capture that cannot listen has never lived: status knows none', async () => {
  const taken = createServer()
  const port = await new Promise<number>(resolve => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as {port: number}).port))
  })
  onTestFinished(() => void taken.close())
  const home = temporaryFolder()
  const words = ['webhook', 'capture', '--profile', 'local', '--listen', `127.0.0.1:${port}`]
  const {exit, stderr} = await storectl(words, {home})
  expect([exit, stderr]).toEqual([8, expect.stringContaining('already taken')])
  const {stdout} = await storectl(['status', '--profile', 'local', '-o', 'json'], {home})
  expect(JSON.parse(stdout)).toMatchObject({services: []})
})
