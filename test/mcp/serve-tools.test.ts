import {EventEmitter, once} from 'node:events'
import {PassThrough} from 'node:stream'
import {setImmediate} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {callTool, type ToolDeps} from '../../src/mcp/call-tool.js'
import {RowCollector} from '../../src/mcp/row-collector.js'
import {serveTools} from '../../src/mcp/serve-tools.js'

const server = (stdin: PassThrough, stopping: AbortSignal) => ({
  ...{about: {name: 'storectl', version: '0'}, stdin, stopping, tools: []},
  write: async () => {},
  call: async () => ({content: []}),
})

test('ends only after the calls under way have ended', async () => {
  const stdin = new PassThrough()
  const progress = new EventEmitter()
  const begun = once(progress, 'begun')
  let hasEnded = false
  const call = async () => {
    progress.emit('begun')
    await once(progress, 'finish')
    return {content: []}
  }
  const ended = serveTools({...server(stdin, new AbortController().signal), call}).then(() => {
    hasEnded = true
  })
  for (const request of [
    {
      ...{id: 1, method: 'initialize'},
      params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}},
    },
    {id: 2, method: 'tools/call', params: {name: 'status', arguments: {}}},
  ])
    stdin.write(`${JSON.stringify({jsonrpc: '2.0', ...request})}\n`)
  await begun
  stdin.end()
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  expect(hasEnded).toBe(false)
  progress.emit('finish')
  await ended
})

test('a stop from before the start ends it', async () => {
  await serveTools(server(new PassThrough(), AbortSignal.abort()))
})

test('rows are read whole, wherever a chunk ends', () => {
  const rows = new RowCollector(2)
  for (const byte of Buffer.from('{"a":"ü€😀"}\n{"b":1}\n{"c":1}\n')) rows.add(Uint8Array.of(byte))
  expect({rows: rows.rows, count: rows.count}).toEqual({rows: [{a: 'ü€😀'}, {b: 1}], count: 3})
})

test('a row of more than 16 MiB is refused', () => {
  const rows = new RowCollector(1)
  const chunk = 'x'.repeat(8 * 1024 * 1024)
  rows.add(chunk)
  rows.add(chunk)
  expect(() => rows.add('x')).toThrow('A row exceeds 16 MiB.')
})

test('an error behind many notes is the answer', async () => {
  const error = {code: 'shop.gone', message: 'Gone.', nextSteps: [], exit: 6}
  const deps = {
    ...{
      commands: {status: {flags: {}, args: {}}},
      shopWords: [],
      namePlan: () => '',
      describePlan: async () => ({}),
    },
    run: async (_: unknown, {err}: {err(chunk: string): void}) => {
      for (let line = 0; line < 10_000; line++) err(`${line} ${'x'.repeat(100)}\n`)
      err(`${JSON.stringify({error})}\n`)
      return (text: string) => text
    },
  } as unknown as ToolDeps
  const {isError, content} = await callTool('status', {}, new AbortController().signal, deps)
  expect(isError).toBe(true)
  expect(content[1]).toMatchObject({text: expect.stringContaining(JSON.stringify({error}).slice(0, -1))})
})
