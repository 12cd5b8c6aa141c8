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
  )
  log.info('one')
  log.info('two')
  await new Promise(resolve => setImmediate(resolve))
  expect(asked).toBe(2)
})
