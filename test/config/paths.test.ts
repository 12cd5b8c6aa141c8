import {expect, test} from 'vitest'
import {resolvePaths} from '../../src/config/paths.js'

test('STORECTL_HOME holds everything', () => {
  const paths = resolvePaths({STORECTL_HOME: '/h', XDG_CONFIG_HOME: '/x'}, '/home/ada', 'linux')
  expect(paths).toEqual({
    config: '/h',
    state: '/h',
    cache: '/h/cache',
    settingsFile: '/h/settings.json',
    credentialsFile: '/h/credentials.json',
    recordsDatabase: '/h/records.db',
    shopFolder: '/h/shop',
  })
})

test('without it the platform’s own folders are used', () => {
  expect(resolvePaths({}, '/home/ada', 'linux')).toMatchObject({
    settingsFile: '/home/ada/.config/storectl/settings.json',
    recordsDatabase: '/home/ada/.local/state/storectl/records.db',
    cache: '/home/ada/.cache/storectl',
  })
  expect(resolvePaths({}, '/Users/ada', 'darwin').cache).toBe('/Users/ada/Library/Caches/storectl')
})

test('no home at all is an error that says what to set', () => {
  expect(() => resolvePaths({}, undefined, 'linux')).toThrowError(/No home folder found for the settings/)
})
