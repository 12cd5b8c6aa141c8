import {expect, test} from 'vitest'
import {parseStoredCredentials} from '../../../src/auth/credentials/stored-credentials.js'

const OWNER = {name: 'shop', url: new URL('https://shop.example')}
const parse = (more: object) => parseStoredCredentials(OWNER, {url: 'https://shop.example', ...more})

test('a secret that is no text is none', () => {
  expect(parse({clientSecret: 'hidden-secret'})).toMatchObject({clientSecret: 'hidden-secret'})
  expect(parse({clientSecret: 5})).not.toHaveProperty('clientSecret')
})

test('a token whose end cannot be read is long past it', () => {
  const {token} = parse({token: {value: 'hidden-token', expiresAt: 'tomorrow'}})
  expect(token?.expiresAt?.getTime()).toBe(0)
})
