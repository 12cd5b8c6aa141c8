import {expect, onTestFinished, test} from 'vitest'
import {testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {until} from '../../support/until.js'

/** A server in this process, until the test ends, with commands that find it. */
async function server(...argv: string[]) {
  const home = temporaryFolder()
  const made = testContext({home})
  const ended = storectl(['server', 'start', '-o', 'json', ...argv], made)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  await until('the server listens', () => made.out().includes('\n') || isOver)
  if (isOver) throw new Error(made.err())
  onTestFinished(async () => {
    made.interruption.stop('SIGINT')
    await ended
  })
  const {url, credentials} = JSON.parse(made.out()) as {
    url: string
    credentials: {clientId: string; clientSecret: string}
  }
  const fault = (...words: string[]) => storectl(['server', 'fault', ...words], {home})
  const list = async () => JSON.parse((await fault('list', '-o', 'json')).stdout)
  const token = async () => (await fetch(`${url}/api/oauth/token`, {method: 'POST'})).status
  return {home, url, credentials, fault, list, token, log: made.err}
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

test('a fault that is added strikes from then on, is counted, and is cleared by its id', async () => {
  const {fault, list, token} = await server()
  const added = await fault(
    'add',
    'route=token,status=503',
    'route=webhook,latency=1ms,count=2',
    '-o',
    'json',
  )
  expect(added.exit).toBe(0)
  expect(JSON.parse(added.stdout)).toEqual([
    {id: 1, rule: 'route=token,status=503', matched: 0, injected: 0},
    {id: 2, rule: 'route=webhook,latency=1ms,count=2', matched: 0, injected: 0},
  ])
  expect(await token()).toBe(503)
  expect((await list())[0]).toEqual({id: 1, rule: 'route=token,status=503', matched: 1, injected: 1})
  const cleared = await fault('clear', '1', '-o', 'id')
  expect([cleared.exit, cleared.stdout]).toEqual([0, '1\n'])
  expect(await token()).toBe(400)
  expect((await list()).map(({id}: {id: number}) => id)).toEqual([2])
})

test('faults that strike everything can still be listed and cleared', async () => {
  const {fault, list, token} = await server('--fault', 'status=500', '--fault', 'reset=before-commit')
  expect(await token()).toBe(500)
  expect(await list()).toHaveLength(2)
  expect((await fault('clear', '-o', 'id')).stdout).toBe('1\n2\n')
  expect(await list()).toEqual([])
  expect(await token()).toBe(400)
})

test('an id that does not exist changes nothing', async () => {
  const {fault, list} = await server('--fault', 'status=500')
  const {exit, stderr} = await fault('clear', '1', '9')
  expect([exit, stderr.split('\n')[0]]).toEqual([3, 'error: The server has no fault 9; nothing was changed.'])
  expect(await list()).toHaveLength(1)
})

test.each([
  [['add', 'status=503', 'status=99'], 'Fault rule "status=99", column 8'],
  [['add', 'latncy=2s'], 'unknown key "latncy"'],
  [['add'], 'Missing RULE (fault injection rules)'],
  [['clear', 'all'], '"all" is not a fault id'],
])('%j is refused before a server is looked for', async (words, message) => {
  const {exit, stderr} = await storectl(['server', 'fault', ...words])
  expect(exit).toBe(2)
  expect(stderr).toContain(message)
})

test('without a server there is nothing to add faults to: exit 6', async () => {
  for (const words of [['add', 'status=503'], ['list'], ['clear']]) {
    expect((await storectl(['server', 'fault', ...words])).exit).toBe(6)
  }
})

test('nobody but an administrator of the shop changes faults', async () => {
  const {url, credentials, list, log} = await server()
  const ask = async (headers: Record<string, string>) => {
    const body = JSON.stringify({rules: ['status=500']})
    const answer = await fetch(`${url}/_storectl/faults`, {
      method: 'POST',
      body,
      headers: {'content-type': 'application/json', ...headers},
    })
    const {errors} = (await answer.json()) as {errors?: {code: string}[]}
    return [answer.status, errors?.[0]?.code, answer.headers.get('www-authenticate')]
  }
  const refusal = [401, 'STORECTL__UNKNOWN_CALLER', 'Basic realm="storectl"']
  expect(await ask({})).toEqual(refusal)
  expect(await ask(basic(credentials.clientId, 'wrong'))).toEqual(refusal)
  expect(await ask(basic('SWIA', ''))).toEqual(refusal)
  expect(await ask({authorization: 'Bearer x'})).toEqual(refusal)
  expect(await list()).toEqual([])
  expect((await ask(basic(credentials.clientId, credentials.clientSecret)))[0]).toBe(200)
  expect(await list()).toHaveLength(1)
  expect(log()).not.toContain(credentials.clientSecret)
})

test('what is no list of rules adds none of them', async () => {
  const {url, credentials, list} = await server()
  const headers = {
    'content-type': 'application/json',
    ...basic(credentials.clientId, credentials.clientSecret),
  }
  for (const rules of [undefined, [], 'status=500', [1], ['status=500', 'status=1']]) {
    const body = JSON.stringify({rules})
    const answer = await fetch(`${url}/_storectl/faults`, {method: 'POST', body, headers})
    expect(answer.status).toBe(400)
  }
  expect((await fetch(`${url}/_storectl/faults/7`, {method: 'DELETE', headers})).status).toBe(404)
  expect(await list()).toEqual([])
})
