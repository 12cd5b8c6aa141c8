import {expect, test} from 'vitest'
import {type Choice, resolveProfile} from '../../../src/auth/profile/choose-profile.js'

const stored = {
  shop: {url: 'https://shop.example/de', protected: true},
  other: {url: 'https://other.example', username: 'ada'},
  twin: {url: 'https://other.example'},
}

function choose({flags = {}, env = {}, fallback = {name: 'local', from: ''}}: Partial<Choice>) {
  const {name, from, profile} = resolveProfile({flags, env, fallback, stored})
  return [name, from, profile?.url.href, profile?.protected]
}

test('flag stands above environment above project file and current profile', () => {
  const fallback = {name: 'twin', from: '/home/settings.json'}
  const env = {STORECTL_PROFILE: 'other'}
  expect(choose({})).toEqual(['local', '', undefined, undefined])
  expect(choose({fallback})).toEqual(['twin', '/home/settings.json', 'https://other.example/', false])
  expect(choose({fallback, env})).toEqual(['other', 'STORECTL_PROFILE', 'https://other.example/', false])
  expect(choose({fallback, env, flags: {profile: 'shop'}})[0]).toBe('shop')
})

test('a URL of a higher level leaves the profile of a lower one aside', () => {
  const env = {STORECTL_PROFILE: 'other'}
  expect(choose({env, flags: {url: 'https://new.example'}})).toEqual([
    'url',
    '--url',
    'https://new.example/',
    false,
  ])
  expect(choose({env: {STORECTL_URL: 'https://new.example'}, flags: {profile: 'shop'}})[0]).toBe('shop')
})

test('a URL goes with the profile of its own level', () => {
  expect(choose({flags: {url: 'https://new.example', profile: 'shop'}})).toEqual([
    'shop',
    '--url',
    'https://new.example/',
    true,
  ])
})

test('the URL of a stored profile is that profile, so that a protected shop stays protected', () => {
  expect(choose({flags: {url: 'https://SHOP.example:443/de/'}})).toEqual([
    'shop',
    '--url',
    'https://shop.example/de',
    true,
  ])
})

test('of two profiles with one URL, the current one is meant', () => {
  const flags = {url: 'https://other.example'}
  expect(choose({flags})[0]).toBe('other')
  expect(choose({flags, fallback: {name: 'twin', from: 'x'}})[0]).toBe('twin')
})

test.each([
  [{flags: {profile: 'shp'}}, 'Did you mean "shop"?'],
  [{env: {STORECTL_PROFILE: 'nobody'}}, 'Unknown profile "nobody" (from STORECTL_PROFILE)'],
  [{flags: {url: 'ftp://shop.example'}}, 'must begin with https:// or http://'],
  [{flags: {url: 'https://shop.example?x=1'}}, 'has no "?"'],
  [{flags: {url: 'https://a.example', profile: 'local'}}, 'omit --url'],
  [{env: {STORECTL_CLIENT_SECRET: 'x'}}, 'no shop is chosen for it'],
])('%j is refused', (choice, message) => {
  expect(() => choose(choice)).toThrow(message)
})

test('an unknown profile leads to the list of profiles, and to a sign-in under its name', () => {
  expect(() => choose({flags: {profile: 'nobody'}})).toThrow(
    expect.objectContaining({
      nextSteps: ['storectl profile list', 'storectl login --profile nobody --url URL'],
    }),
  )
})

test.each([
  [{}, 'client_credentials'],
  [{STORECTL_USERNAME: 'ada'}, 'password'],
  [{STORECTL_USERNAME: 'ada', STORECTL_CLIENT_ID: 'SWIAX'}, 'client_credentials'],
])('a shop without a profile is signed in to by what the environment has: %j', (env, grant) => {
  const flags = {url: 'https://new.example'}
  const {profile} = resolveProfile({flags, env, fallback: {name: 'local', from: ''}, stored})
  expect(profile?.grant).toBe(grant)
})
