import {expect, test} from 'vitest'
import {requireWholePair} from '../../../src/auth/credentials/secrets.js'
import {parseLoginWords} from '../../../src/auth/login/login-flags.js'

const words = (flags: object, env: Record<string, string> = {}) =>
  parseLoginWords(flags as never, {env, readSecret: async () => undefined})

test('what no flag says comes from the environment, where what is empty counts as unset', async () => {
  const env = {
    ...{STORECTL_PROFILE: 'live', STORECTL_URL: 'https://shop.example', STORECTL_CLIENT_ID: 'SWIAX'},
    ...{STORECTL_CLIENT_SECRET: 'secret', STORECTL_USERNAME: 'ada', STORECTL_PASSWORD: 'password'},
  }
  expect(await words({}, env)).toMatchObject({
    ...{profile: 'live', url: 'https://shop.example', clientId: 'SWIAX', clientSecret: 'secret'},
    ...{username: 'ada', password: 'password'},
  })
  const empty = Object.fromEntries(Object.keys(env).map(name => [name, '']))
  expect(Object.values(await words({}, empty)).filter(value => value !== undefined)).toEqual([])
})

test('a flag goes before the environment, and a URL that is typed before the profile there', async () => {
  const env = {STORECTL_PROFILE: 'live', STORECTL_URL: 'https://shop.example'}
  const typed = {url: 'https://other.example'}
  expect(await words(typed, env)).toMatchObject({...typed, profile: undefined})
  expect(await words({profile: 'stage'}, env)).toMatchObject({profile: 'stage', url: env.STORECTL_URL})
})

test.each([
  [{ID: '', SECRET: 'x'}, 'ID is empty, but SECRET is set.'],
  [{ID: 'x', SECRET: ''}, 'SECRET is empty, but ID is set.'],
  [{ID: '', SECRET: ''}, undefined],
  [{ID: ''}, undefined],
  [{SECRET: ''}, undefined],
  [{ID: 'x'}, undefined],
  [{ID: 'x', SECRET: 'x'}, undefined],
  [{}, undefined],
])('of the pair %j an empty half is refused where the other is set: %s', (env, message) => {
  const check = () => requireWholePair(env, 'ID', 'SECRET')
  if (message === undefined) expect(check()).toBeUndefined()
  else expect(check).toThrow(message)
})
