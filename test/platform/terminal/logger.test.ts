import {expect, test} from 'vitest'
import type {Sink} from '../../../src/platform/streams.js'
import {openLog} from '../../../src/platform/terminal/logger.js'

const sink = (write: Sink['write']): Sink => ({write, isTerminal: false, columns: undefined})

test('a reader who has stopped reading costs lines, not memory, until there is room again', async () => {
  const written: string[] = []
  let room = () => {}
  const stalled = new Promise<void>(resolve => {
    room = resolve
  })
  const log = openLog(
    sink(async text => {
      written.push(String(text))
      await stalled
    }),
    'info',
    'json',
  )
  for (let index = 0; index < 3000; index++) log.info('x'.repeat(1000))
  const kept = written.length
  expect(kept).toBeGreaterThan(500)
  expect(kept).toBeLessThan(1000)
  room()
  await stalled
  await new Promise(resolve => setImmediate(resolve))
  log.info('there is room again')
  expect(written.length).toBe(kept + 1)
})

test('lines that cannot be written are lost, and nothing else', async () => {
  let asked = 0
  const log = openLog(
    sink(async () => {
      asked++
      throw new Error('no room')
    }),
    'info',
    'json',
  )
  log.info('one')
  log.info('two')
  await new Promise(resolve => setImmediate(resolve))
  expect(asked).toBe(2)
})

test('a line for a person has the time of this machine, and shows no control character', () => {
  const lines: string[] = []
  const log = openLog(
    sink(async text => void lines.push(String(text))),
    'info',
    'text',
  )
  log.info({method: 'GET', path: '/api/\u009b31mred', status: 404, ms: 1.5}, 'answered')
  log.info('stopping')
  log.error({err: new Error('no room')}, 'failed')
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d GET \/api\/\\u009b31mred 404 1\.5 ms\n$/)
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d stopping\n$/)
  expect(lines[2]).toMatch(/^\d\d:\d\d:\d\d failed Error: no room\n +at /)
})
