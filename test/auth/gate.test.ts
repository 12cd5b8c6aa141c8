import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {endpoint} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

const PASSWORD = 'hidden-gate-password:with a colon'
const BASIC = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`

/** A shop behind a gate that asks for Basic credentials, but for calls with an access token where it is told to. */
async function gatedShop(letsTokensPass: boolean) {
  const shop = await tokenShop({answer: () => ({status: 200, body: {version: '6.6.7.1'}})})
  const challenge = {'content-type': 'text/html', 'www-authenticate': 'Basic realm="Staging, keep out"'}
  const gate = await endpoint(async ({method, url, headers, body}) => {
    const {authorization = ''} = headers
    const passes = authorization === BASIC || (letsTokensPass && authorization.startsWith('Bearer '))
    if (!passes) return {status: 401, headers: challenge, body: '<h1>401</h1>'}
    const answer = await fetch(`${shop.url}${url}`, {
      method,
      headers: {authorization},
      ...(body ? {body} : {}),
    })
    return {status: answer.status, headers: {'content-type': 'application/json'}, body: await answer.text()}
  })
  return {shop, gate}
}

const LOGIN = ['login', '--profile', 'staging', '--client-id', 'SWIAX', '--client-secret-stdin']

test('a gate that asks for Basic credentials is named, and the next step lets a sign-in through', async () => {
  const {gate} = await gatedShop(true)
  const home = temporaryFolder()
  const refused = await storectl([...LOGIN, '--url', gate.url, '-o', 'json'], {home, stdin: 'hidden-secret'})
  const {error} = JSON.parse(refused.stderr)
  expect([refused.exit, error.code]).toEqual([4, 'auth.gate'])
  expect(error.message).toContain('The reverse proxy in front of')
  expect(error.message).toContain('("Staging, keep out") requires Basic credentials')
  const [step = ''] = error.nextSteps[0].split('   #')
  expect(step).toBe(`storectl profile set staging --url ${gate.url} --basic-auth-stdin`)
  const set = await storectl(step.split(' ').slice(1), {home, stdin: `ada:${PASSWORD}\n`})
  expect(set.exit).toBe(0)
  const signedIn = await storectl(LOGIN, {home, stdin: 'hidden-secret'})
  expect(signedIn.exit).toBe(0)
  expect((await storectl(['auth', 'status', '--check'], {home})).exit).toBe(0)
  expect(gate.received.map(({headers}) => headers.authorization?.split(' ')[0])).toEqual([
    undefined,
    'Basic',
    'Bearer',
    'Bearer',
  ])
  expect(readFileSync(join(home, 'settings.json'), 'utf8')).not.toContain(BASIC.slice(6))
  expect((await storectl(['profile', 'show', 'staging', '-o', 'json'], {home})).stdout).not.toContain(
    BASIC.slice(6),
  )
})

test('a gate that wants them with every call collides with the token, and that is said', async () => {
  const {gate} = await gatedShop(false)
  const home = temporaryFolder()
  const file = join(home, 'gate')
  writeFileSync(file, `ada:${PASSWORD}`)
  await storectl(['profile', 'set', 'staging', '--url', gate.url, '--basic-auth-file', file], {home})
  const {exit, stderr} = await storectl([...LOGIN, '--debug'], {home, stdin: 'hidden-secret'})
  expect(exit).toBe(4)
  expect(stderr).toContain('in the one header that holds the access token')
  expect(stderr).toContain('let requests below /api pass')
  expect(stderr).not.toContain('hidden-gate')
  expect(stderr).not.toContain(BASIC.slice(6, 20))
})

test('a gate that wants a header of its own, or lets nobody in, is named too', async () => {
  const home = temporaryFolder()
  const gate = await endpoint(({headers}) =>
    headers['x-gate'] === 'hidden-gate-key'
      ? {status: 403, body: '<h1>blocked</h1>'}
      : {status: 401, headers: {'content-type': 'text/html'}},
  )
  const first = await storectl([...LOGIN, '--url', gate.url], {home, stdin: 'hidden-secret'})
  expect(first.stderr).toContain('requires its own credentials (401)')
  expect(first.stderr).toContain('profile set staging --url')
  await storectl(['profile', 'set', 'staging', '--url', gate.url, '--header-stdin'], {
    home,
    stdin: 'X-Gate: hidden-gate-key',
  })
  const then = await storectl(LOGIN, {home, stdin: 'hidden-secret'})
  expect([first.exit, then.exit]).toEqual([4, 4])
  expect(then.stderr).toContain('does not let this call through (403)')
})

test('Basic credentials stand beside other headers, and an empty input takes them away', async () => {
  const home = temporaryFolder()
  const set = (flag: string, stdin: string) =>
    storectl(['profile', 'set', 'x', '--url', 'https://shop.example', flag], {home, stdin})
  const headers = async () =>
    JSON.parse((await storectl(['profile', 'show', 'x', '-o', 'json'], {home})).stdout).headers
  await set('--header-stdin', 'X-Gate: hidden-gate-key\n\nauthorization: Other hidden-thing')
  await set('--basic-auth-stdin', `ada:${PASSWORD}`)
  expect(await headers()).toEqual(['X-Gate', 'Authorization'])
  await set('--basic-auth-stdin', '')
  expect(await headers()).toEqual(['X-Gate'])
  for (const text of ['hidden-password-alone', 'ada:hidden\u0007bell', 'ada:hidden\u007fdelete']) {
    const wrong = await set('--basic-auth-stdin', text)
    expect(wrong.exit).toBe(2)
    expect(wrong.stderr).toContain('write "user:password"')
    expect(wrong.stderr).not.toContain('hidden')
  }
})
