import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {expect, test} from 'vitest'
import {describeMachine, startOf} from '../../src/platform/processes.js'
import {nameOf} from '../support/skipped.js'

const onLinux = process.platform === 'linux'

test.skipIf(!onLinux)(
  nameOf(
    'a process is told from a later one of the same id, and one of another container not at all',
    !onLinux && 'Linux',
  ),
  () => {
    const {pid, processStart, isAlive} = describeMachine({})
    const [start, space] = processStart.split('@')
    expect(isAlive(pid, processStart)).toBe(true)
    expect(isAlive(pid, `${Number(start) + 1}@${space}`)).toBe(false)
    expect(isAlive(pid, `${start}@pid:[1]`)).toBeUndefined()
    expect(isAlive(pid, '')).toBeUndefined()
  },
)

test.skipIf(!onLinux)(nameOf('a process that was killed is gone', !onLinux && 'Linux'), async () => {
  const {processStart, isAlive} = describeMachine({})
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(child, 'spawn')
  const [, space] = processStart.split('@')
  const its = `${startOf(child.pid as number)}@${space}`
  expect(isAlive(child.pid as number, its)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(child.pid as number, its)).toBe(false)
})
