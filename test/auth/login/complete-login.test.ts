import {expect, test} from 'vitest'
import {chooseWebhookToken, type WebhookTokenApi} from '../../../src/auth/login/webhook-token.js'
import {temporaryFolder} from '../../support/home.js'
import {testShop} from '../../support/shop.js'
import {storectl} from '../../support/storectl.js'

test('login asks again for a wrong secret alone, registers the webhook, and leaves the doctor nothing to fail', async () => {
  const shop = await testShop()
  const {clientId, clientSecret} = shop.credentials
  const home = temporaryFolder()
  const answers = [
    ...[shop.url, '', 'client_credentials', clientId, 'wrong-secret'],
    ...['', clientSecret, 'register'],
  ]
  const {exit, stderr} = await storectl(['login'], {home, terminal: true, answers})
  expect(stderr).toContain("Registered the shop's webhook at the provider.\nTook the webhook token from")
  expect([exit, stderr.includes('wrong-secret'), stderr.includes('Not set yet')]).toEqual([0, false, false])
  const name = new URL(shop.url).host.replace(':', '-')
  const doctor = await storectl(['doctor', '--profile', name, '-o', 'json'], {home})
  const findings: {check: string; state: string}[] = JSON.parse(doctor.stdout)
  expect(findings.filter(({state}) => state === 'failed')).toEqual([])
  expect(findings.find(({check}) => check === 'webhook token')?.state).toBe('ok')
})

test('a secret that comes from a file is not asked for again', async () => {
  const shop = await testShop()
  const argv = ['login', '--url', shop.url, '--client-id', shop.credentials.clientId]
  const env = {STORECTL_CLIENT_SECRET: 'wrong-secret'}
  expect((await storectl(argv, {terminal: true, env})).exit).toBe(4)
})

/** Answers the question for the webhook token. */
async function choose(api: Partial<WebhookTokenApi>, answers: string[], known?: string) {
  const offered: string[][] = []
  const notes: string[] = []
  const chosen = await chooseWebhookToken(known, {
    api: {
      readStatus: async () => 'valid',
      readToken: async () => undefined,
      register: async () => undefined,
      checkToken: async () => undefined,
      ...api,
    },
    prompts: {
      possible: true,
      choose: async (_, choices) => {
        offered.push(choices.map(({value}) => value))
        return answers.shift() as never
      },
      askSecret: async () => answers.shift() as string,
    },
    note: async text => void notes.push(text),
    hide: () => {},
  })
  return {chosen, offered, notes}
}

test.each([
  ['valid', 'shop-token', ['shop', 'later', 'type']],
  ['missing', 'shop-token', ['later', 'register', 'type']],
  ['valid', undefined, ['later', 'type']],
])('a shop whose registration is %s with the token %s: %j are offered', async (status, token, expected) => {
  const api = {readStatus: async () => status, readToken: async () => token}
  const {offered, chosen} = await choose(api, ['later'])
  expect([offered, chosen]).toEqual([[expected], {token: undefined, state: 'missing'}])
})

test('a typed token that the shop refuses is asked for again', async () => {
  const {chosen, notes} = await choose({checkToken: async token => token === 'right'}, [
    'type',
    'wrong',
    'right',
  ])
  expect(chosen).toEqual({token: 'right', state: 'set'})
  expect(notes).toEqual(['The shop refuses this webhook token.'])
})

test('a stored token that the shop takes is no question; one that it refuses is', async () => {
  expect(await choose({checkToken: async () => true}, [], 'stored')).toMatchObject({
    offered: [],
    chosen: {token: 'stored', state: 'set'},
  })
  const api = {checkToken: async () => false, readToken: async () => 'shop-token'}
  const {chosen} = await choose(api, ['shop'], 'stored')
  expect(chosen).toEqual({token: 'shop-token', state: 'set'})
})
