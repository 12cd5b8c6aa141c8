import {expect, test} from 'vitest'
import {parseBaseUrl} from '../../../src/auth/profile/base-url.js'
import type {Profile} from '../../../src/auth/profile/profile.js'
import {parseProviderUrl, readProviderAccess} from '../../../src/auth/token/provider-access.js'

const profile: Profile = {
  name: 'shop',
  url: parseBaseUrl('https://shop.example'),
  provider: 'paypal',
  tokenPrefix: 'sw',
  grant: 'client_credentials',
  protected: false,
  presumeLostAfterMs: undefined,
  providerUrl: parseBaseUrl('https://provider.example'),
  providerClientId: 'id',
}
const kept = {providerSecret: {url: 'https://provider.example', value: 'kept'}}

test('a kept secret goes to the one base URL that it was given for', () => {
  expect(readProviderAccess({}, profile, kept)).toMatchObject({clientId: 'id', clientSecret: 'kept'})
  expect(readProviderAccess({STORECTL_PROVIDER_URL: 'https://other.example'}, profile, kept)).toBeUndefined()
  expect(readProviderAccess({}, {...profile, providerUrl: parseProviderUrl('sandbox')}, kept)).toBeUndefined()
})

test('the environment stands above what is kept, unless it is for another shop', () => {
  const env = {STORECTL_PROVIDER_CLIENT_ID: 'env-id', STORECTL_PROVIDER_CLIENT_SECRET: 'env-secret'}
  expect(readProviderAccess(env, profile, kept)).toMatchObject({
    clientId: 'env-id',
    clientSecret: 'env-secret',
  })
  const elsewhere = {...env, STORECTL_URL: 'https://another.example'}
  expect(readProviderAccess(elsewhere, profile, kept)).toMatchObject({clientId: 'id', clientSecret: 'kept'})
})

test('a secret without an id is half of a pair', () => {
  const {providerClientId: _, ...without} = profile
  expect(() => readProviderAccess({}, without, kept)).toThrow('no client id')
})

test('live and sandbox stand for the provider’s two places', () => {
  expect(parseProviderUrl('live').href).toBe('https://api-m.paypal.com/')
  expect(parseProviderUrl('Sandbox').href).toBe('https://api-m.sandbox.paypal.com/')
  expect(() => parseProviderUrl('constructor')).toThrow('Invalid base URL')
})
