import {expect, test} from 'vitest'
import {StoppedClock} from '../../support/clock.js'
import {storectl} from '../../support/storectl.js'
import {
  CHANNELS,
  DATABASE_WAYS,
  expectFlagKept,
  expectPasswordKept,
  expectVariableKept,
  OF_SHOPS,
  type Runner,
} from './secret-channels.js'

/** The same by processes, for one answer of the shop: `secrets.e2e.test.ts`. */
const run: Runner = (argv, {env: {STORECTL_HOME: home = '', ...env}, stdin}) =>
  storectl(argv, {home, env, clock: new StoppedClock(), ...(stdin === undefined ? {} : {stdin})})

test.each(CHANNELS)('what %s reads by --%s comes out nowhere', async (id, flag) => {
  for (const status of [200, 400]) await expectFlagKept(run, [id, flag], status)
})

test.each(OF_SHOPS)('what %s holds comes out nowhere', async variable => {
  for (const status of [200, 400, 401]) await expectVariableKept(run, variable, status)
})

test.each(DATABASE_WAYS)('a password in %s comes out nowhere', way =>
  expectPasswordKept(run, way, [
    ['run', 'list'],
    ['database', 'status'],
    ['config', 'list'],
    ['webhook', 'list', '-o', 'json'],
  ]),
)

test('no secret channel is missing here', () => {
  expect(CHANNELS.map(([id, flag]) => `${id} --${flag}`)).toEqual([
    'login --client-secret-stdin',
    'login --client-secret-file',
    'login --password-stdin',
    'login --password-file',
    'login --otp-stdin',
    'login --webhook-token-stdin',
    'login --webhook-token-file',
    'profile:set --webhook-token-stdin',
    'profile:set --webhook-token-file',
    'profile:set --basic-auth-stdin',
    'profile:set --basic-auth-file',
    'profile:set --header-stdin',
    'profile:set --header-file',
    'profile:set --provider-client-secret-stdin',
    'profile:set --provider-client-secret-file',
    'webhook:capture --old-token-file',
  ])
})
