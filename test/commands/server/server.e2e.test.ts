import type {ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {warmHome} from '../../support/home.js'
import {ended, runProcess, startProcess} from '../../support/process.js'

async function started(
  home: string,
  ...words: string[]
): Promise<{child: ChildProcess; end: ReturnType<typeof ended>; url: string}> {
  const child = startProcess(['server', 'start', '-o', 'json', ...words], {env: {STORECTL_HOME: home}})
  onTestFinished(() => void child.kill('SIGKILL'))
  const end = ended(child)
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  return {child, end, url: JSON.parse(String(line)).url}
}

const run = (home: string, ...argv: string[]) => runProcess(argv, {env: {STORECTL_HOME: home}})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it gracefully, with 0', async signal => {
  const home = warmHome()
  const {child, end} = await started(home)
  child.kill(signal)
  expect((await end).exit).toBe(0)
  expect((await run(home, 'server', 'status')).exit).toBe(6)
})

test('stop ends it, and there is nothing to stop then', async () => {
  const home = warmHome()
  const words = ['--data', join(home, 'other')]
  const {end, url} = await started(home, ...words)
  expect((await run(home, 'server', 'stop', ...words)).stderr).toBe(`The server on ${url} has stopped.\n`)
  expect((await end).exit).toBe(0)
  expect((await run(home, 'server', 'stop')).stderr).toBe('No server is running.\n')
})

test('stop says after its grace period that the server has not ended', async () => {
  const home = warmHome()
  const {child, end} = await started(home)
  child.kill('SIGSTOP')
  const {exit, stderr} = await run(home, 'server', 'stop', '--shutdown-timeout', '100ms')
  child.kill('SIGCONT')
  expect([exit, stderr]).toEqual([6, expect.stringContaining('is still running')])
  expect((await end).exit).toBe(0)
})

test('a second server on the same folder is refused with 8; one beside it is not', async () => {
  const home = warmHome()
  await started(home)
  const second = await run(home, 'server', 'start')
  expect(second.exit).toBe(8)
  expect(second.stderr).toContain('A server already listens on')
  await started(warmHome())
})

test('after kill -9 its announcement is taken for what it is, and the shop goes on', async () => {
  const home = warmHome()
  const {child, end} = await started(home)
  await run(home, 'server', 'seed', '--customers', '3', '--orders', '0')
  child.kill('SIGKILL')
  await end
  expect((await run(home, 'server', 'status')).exit).toBe(6)
  expect((await run(home, 'customer', 'search', '--count')).stdout).toBe('3\n')
  await started(home)
  expect((await run(home, 'server', 'status')).exit).toBe(0)
})
