import v8 from 'node:v8'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {keepSmall} from '../../src/app/host.js'
import {runCommand} from '../../src/cli/run-command.js'
import {testContext} from '../support/context.js'

/** V8's settings as they were changed, in order: those of this process stay. */
let settings: string[]

beforeEach(() => {
  settings = []
  vi.useFakeTimers()
  vi.spyOn(v8, 'setFlagsFromString').mockImplementation(flags => void settings.push(flags))
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const start = (command: string, hasProcessToItself = true) =>
  keepSmall({...testContext().host, hasProcessToItself}, command)

test('a short command changes no setting of V8, and leaves no timer', () => {
  const end = start('webhook:list')
  vi.advanceTimersByTime(99)
  end()
  vi.advanceTimersByTime(10_000)
  expect({settings, timers: vi.getTimerCount()}).toEqual({settings: [], timers: 0})
})

test('a long command has the settings of a small heap until its end', () => {
  const end = start('webhook:list')
  vi.advanceTimersByTime(1000)
  expect(settings[0]).toBe('--heap-growing-percent=75')
  expect(vi.getTimerCount()).toBe(1)
  end()
  expect(settings.at(-1)).toBe('--heap-growing-percent=0 --semi-space-growth-factor=2')
  const ended = settings.length
  vi.advanceTimersByTime(10_000)
  expect({more: settings.slice(ended), timers: vi.getTimerCount()}).toEqual({more: [], timers: 0})
})

test.each([
  ['the bundled shop, which answers many', 'server:start', true],
  ['a command inside of another process', 'webhook:list', false],
])('changes nothing for %s', (_, command, hasProcessToItself) => {
  const end = start(command, hasProcessToItself)
  vi.advanceTimersByTime(1000)
  end()
  expect({settings, timers: vi.getTimerCount()}).toEqual({settings: [], timers: 0})
})

test('a command that ends with a bug ends the settings, too', async () => {
  class Probe {
    async _run() {
      vi.advanceTimersByTime(1000)
      throw new Error('a bug')
    }
  }
  const program = {about: {version: '0'}, commands: {probe: async () => ({default: Probe})}}
  const host = {...testContext().host, hasProcessToItself: true}
  const run = runCommand(
    {kind: 'run', id: 'probe', argv: []},
    program as unknown as Parameters<typeof runCommand>[1],
    host,
  )
  await expect(run).rejects.toThrow('a bug')
  expect({last: settings.at(-1), timers: vi.getTimerCount()}).toEqual({
    last: '--heap-growing-percent=0 --semi-space-growth-factor=2',
    timers: 0,
  })
})
