import {expect, test} from 'vitest'
import {resolvePaths} from '../../src/config/paths.js'
import {readMeantVariables} from '../../src/config/variables.js'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'

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

test.each([
  ['~/shops', '/home/ada/shops'],
  ['~', '/home/ada'],
  ['~/shops\r\n', '/home/ada/shops'],
  ['./~/shops', './~/shops'],
])('STORECTL_HOME=%j is %s', (STORECTL_HOME, folder) => {
  const env = {STORECTL_HOME, ...readMeantVariables({STORECTL_HOME}, '/home/ada')}
  expect(resolvePaths(env, '/home/ada', 'linux').config).toBe(folder)
})

test('the home of another user is not looked up, and no folder of that name is made', async () => {
  const folder = temporaryFolder()
  const {exit, stderr} = await storectl(['config', 'set', 'output', 'json'], {
    folder,
    env: {STORECTL_HOME: '~ada/x'},
  })
  expect([exit, stderr]).toEqual([
    2,
    expect.stringContaining('STORECTL_HOME=~ada/x: cannot resolve "~" here.'),
  ])
})

test.each(['STORECTL_CA_FILE', 'STORECTL_CERT', 'STORECTL_KEY', 'PGPASSFILE'])(
  '~ in %s is the home folder',
  name => {
    expect(readMeantVariables({[name]: '~/file.pem'}, '/home/ada')).toEqual({[name]: '/home/ada/file.pem'})
  },
)
