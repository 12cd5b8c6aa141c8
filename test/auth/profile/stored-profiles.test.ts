import {expect, test} from 'vitest'
import {
  buildProfile,
  createMissingProfileError,
  parseStoredProfiles,
} from '../../../src/auth/profile/stored-profiles.js'

const settings = (profile: unknown) => ({profiles: {shop: profile}})

test.each([[undefined], ['file'], ['keyring']])('secrets may lie in %s', store => {
  expect(parseStoredProfiles(settings({url: 'https://shop.example', store}))).toHaveProperty('shop')
})

test.each([
  [
    {url: 'https://shop.example', store: 'vault'},
    '"store" of profile "shop" is neither "file" nor "keyring"',
  ],
  [{url: 1}, '"url" of profile "shop" is not text'],
  [{url: 'https://shop.example', providerUrl: true}, '"providerUrl" of profile "shop" is not text'],
  [{}, 'profile "shop" has no URL'],
  [null, 'profile "shop" is not an object'],
])('a profile that was edited into something else is refused: %j', (profile, message) => {
  expect(() => parseStoredProfiles(settings(profile))).toThrow(message)
})

test('a profile with a user name signs in by it', () => {
  expect(buildProfile('shop', {url: 'https://shop.example', username: 'ada'})).toMatchObject({
    grant: 'password',
    username: 'ada',
  })
})

test('a profile that does not exist is named, with the nearest one', () => {
  expect(createMissingProfileError('shpo', ['shop']).message).toMatch(/^Unknown profile "shpo"\. .*shop/)
  expect(createMissingProfileError('shpo', ['shop'])).toMatchObject({
    code: 'empty.no_profile',
    nextSteps: ['storectl profile list', 'storectl login --profile shpo --url URL'],
  })
})
