import {expect, test} from 'vitest'
import {baseUrl} from '../../../src/auth/profile/base-url.js'
import type {Profile} from '../../../src/auth/profile/profile.js'
import {providerAccess, providerUrl} from '../../../src/auth/token/provider-access.js'

const profile: Profile = {
  name: 'shop',
  url: baseUrl('https://shop.example'),
  provider: 'paypal',
  tokenPrefix: 'sw',
  grant: 'client_credentials',
  protected: false,
  providerUrl: baseUrl('https://provider.example'),
  providerClientId: 'id',
}
const kept = {providerSecret: {url: 'https://provider.example', value: 'kept'}}

test('a kept secret goes to the one base URL that it was given for', () => {
  expect(providerAccess({}, profile, kept)).toMatchObject({clientId: 'id', clientSecret: 'kept'})
  expect(providerAccess({STORECTL_PROVIDER_URL: 'https://other.example'}, profile, kept)).toBeUndefined()
  expect(providerAccess({}, {...profile, providerUrl: providerUrl('sandbox')}, kept)).toBeUndefined()
})

test('the environment stands above what is kept, unless it is for another shop', () => {
  const env = {STORECTL_PROVIDER_CLIENT_ID: 'env-id', STORECTL_PROVIDER_CLIENT_SECRET: ' env-secret\n'}
  expect(providerAccess(env, profile, kept)).toMatchObject({clientId: 'env-id', clientSecret: 'env-secret'})
  const elsewhere = {...env, STORECTL_URL: 'https://another.example'}
  expect(providerAccess(elsewhere, profile, kept)).toMatchObject({clientId: 'id', clientSecret: 'kept'})
})

test('a secret without an id is half of a pair', () => {
  const {providerClientId: _, ...without} = profile
  expect(() => providerAccess({}, without, kept)).toThrow('no client id')
})

test('live and sandbox stand for the provider’s two places', () => {
  expect(providerUrl('live').href).toBe('https://api-m.paypal.com/')
  expect(providerUrl('Sandbox').href).toBe('https://api-m.sandbox.paypal.com/')
  expect(() => providerUrl('constructor')).toThrow('not a base URL')
})
