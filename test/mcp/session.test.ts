import {writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {listen} from '../support/listen.js'
import {until} from '../support/until.js'
import {call, connect, readAnswer, type Session, startSession} from './session.js'

const INITIALIZE = {
  method: 'initialize',
  params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}},
}
const LIST_RUNS = {method: 'tools/call', params: {name: 'list_runs', arguments: {}}}

/** Sends a request as a line, and reads the next line. */
async function ask(session: Session, id: number, request: object) {
  session.write(`${JSON.stringify({jsonrpc: '2.0', id, ...request})}\n`)
  return JSON.parse(await session.readLine())
}

/** A shop that notes its calls, answers none of them, and notes which were given up. */
async function silentShop() {
  const calls: string[] = []
  const given: string[] = []
  const server = createServer(request => {
    calls.push(request.url ?? '')
    request.on('close', () => given.push(request.url ?? ''))
    request.socket.on('close', () => given.push(request.url ?? ''))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {calls, given, options: {env: {STORECTL_URL: url, STORECTL_TOKEN: 'signed-in'}}}
}

const SEARCH = {method: 'tools/call', params: {name: 'search_customers', arguments: {term: ['ada']}}}

/** A session whose first request was answered. */
async function initialized(options: Parameters<typeof startSession>[0]): Promise<Session> {
  const session = startSession(options)
  await ask(session, 1, INITIALIZE)
  return session
}

/** A session with a call under way, of id 2, which the shop does not answer. */
async function searching() {
  const {calls, given, options} = await silentShop()
  const session = await initialized(options)
  session.write(`${JSON.stringify({jsonrpc: '2.0', id: 2, ...SEARCH})}\n`)
  await until('the shop was called', () => calls.length > 0)
  return {session, given}
}

test.each(['legacy', 'auto'] as const)('speaks both revisions of the protocol: %s', async mode => {
  const client = await connect(startSession({}), mode)
  expect(client.getServerVersion()).toEqual({name: 'storectl', version: '0.0.0-test'})
  expect(await call(client, 'list_runs')).toMatchObject({rows: [], isError: false})
})

test('closing stdin ends it with 0, and stdout has nothing but the protocol', async () => {
  const session = startSession({})
  expect(await ask(session, 1, INITIALIZE)).toMatchObject({id: 1, result: {serverInfo: {name: 'storectl'}}})
  session.closeStdin()
  expect(await session.ended).toEqual({exit: 0, stdout: '', stderr: ''})
  await expect(session.readLine()).rejects.toThrow('ended with 0')
})

test('closing stdin at once ends it with 0', async () => {
  const session = startSession({})
  session.closeStdin()
  expect(await session.ended).toEqual({exit: 0, stdout: '', stderr: ''})
})

test('Ctrl-C ends it, with a call under way and without', async () => {
  const idle = await initialized({})
  idle.stop()
  expect((await idle.ended).exit).toBe(0)
  const {session: busy} = await searching()
  busy.stop()
  expect((await busy.ended).exit).toBe(0)
})

test('closing stdin stops a call under way', async () => {
  const {session, given} = await searching()
  session.closeStdin()
  expect((await session.ended).exit).toBe(0)
  await until('the call was given up', () => given.length > 0)
})

test('a cancelled call stops, gets no answer, and another one is answered meanwhile', async () => {
  const {session, given} = await searching()
  expect(await ask(session, 3, LIST_RUNS)).toMatchObject({id: 3, result: {structuredContent: {rows: []}}})
  expect(given).toEqual([])
  const cancel = {jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 2}}
  session.write(`${JSON.stringify(cancel)}\n`)
  await until('the call was given up', () => given.length > 0)
  expect(await ask(session, 4, LIST_RUNS)).toMatchObject({id: 4})
})

test('calls at once are all answered', async () => {
  const home = temporaryFolder()
  const client = await connect(startSession({home, env: {STORECTL_URL: 'http://127.0.0.1:9'}}))
  const names = ['list_runs', 'list_events', 'list_runs', 'list_events', 'plan_replay', 'plan_replay']
  const answers = await Promise.all(names.map(name => call(client, name)))
  expect(answers.map(({isError}) => isError)).toEqual(names.map(() => false))
  const plans = answers.flatMap(({plan}) => plan ?? [])
  expect(new Set(plans.map(({file}) => file)).size).toBe(2)
  expect(plans.map(({apply}) => apply)).toEqual([undefined, undefined])
})

test('a line that is no message is passed over', async () => {
  const session = await initialized({})
  for (const line of ['{"jsonrpc": ', 'hello', '', '[]', '{"id": 1}', 'null', '\u0000'])
    session.write(`${line}\n`)
  expect(await ask(session, 2, LIST_RUNS)).toMatchObject({id: 2, result: {structuredContent: {rows: []}}})
})

test('an unknown method is an error of the protocol, and the session goes on', async () => {
  const session = await initialized({})
  expect(await ask(session, 2, {method: 'resources/list'})).toMatchObject({id: 2, error: {code: -32601}})
  const odd = {method: 'tools/call', params: {name: 7}}
  expect(await ask(session, 3, odd)).toMatchObject({id: 3, error: {code: -32602}})
  expect(await ask(session, 4, LIST_RUNS)).toMatchObject({id: 4})
})

test('a message of more than 1 MiB ends the session with 2', async () => {
  const session = await initialized({})
  session.write('x'.repeat(1024 * 1024 + 1))
  const {exit, stderr} = await session.ended
  expect({exit, stderr}).toEqual({exit: 2, stderr: 'error: A message of the client exceeds 1 MiB.\n'})
})

test('records that cannot be read are an error of the tool', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'records.db'), 'not a database')
  const client = await connect(startSession({home, env: {STORECTL_URL: 'http://127.0.0.1:9'}}))
  const {isError, error} = await call(client, 'list_events')
  expect(isError).toBe(true)
  expect(error?.code).toMatch(/^\w+\.\w+$/)
})

test('notes of one call are not those of the next', async () => {
  const session = await initialized({env: {STORECTL_URL: 'http://127.0.0.1:9', STORECTL_ODD: '1'}})
  const answers = [await ask(session, 2, LIST_RUNS), await ask(session, 3, LIST_RUNS)]
  const [first, second] = answers.map(({result}) => readAnswer(result).notes)
  expect(first).toEqual(second)
})
