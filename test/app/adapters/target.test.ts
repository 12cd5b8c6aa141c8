import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {findTarget} from '../../../src/app/adapters/home.js'
import type {Profile} from '../../../src/auth/profile/profile.js'
import type {Paths} from '../../../src/config/paths.js'
import {identifyProcess} from '../../../src/platform/processes.js'
import {testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {until} from '../../support/until.js'
import {event, ndjson} from '../../webhook/support.js'

const profileAt = (url: string, clientId?: string): Profile => ({
  ...{name: 'shop', url: new URL(url), provider: 'paypal', tokenPrefix: 'sw'},
  ...{grant: 'client_credentials', protected: false, presumeLostAfterMs: undefined},
  ...(clientId === undefined ? {} : {clientId}),
})

const CREDENTIALS = {
  ...{clientId: 'SWIAOWN', clientSecret: 's', username: 'admin', password: 'p', webhookToken: 't'},
  ...{providerClientId: 'A', providerClientSecret: 'E'},
}

/** A data folder whose server had an address, and perhaps still listens there. */
function dataFolder(address: string, isRunning: boolean) {
  const folder = join(temporaryFolder(), 'shop')
  mkdirSync(folder)
  writeFileSync(join(folder, 'address'), `${address}\n`)
  writeFileSync(join(folder, 'credentials'), JSON.stringify(CREDENTIALS))
  if (isRunning)
    writeFileSync(join(folder, 'server.json'), JSON.stringify({...identifyProcess(), url: address}))
  return {paths: {shopFolder: folder} as Paths}
}

const ADDRESS = 'http://127.0.0.1:8000'

test.each<[string, boolean, Profile, string]>([
  ['the address of a server that runs', true, profileAt('http://127.0.0.1:8000', 'SWIAOTHER'), 'local'],
  ['another name of this machine', true, profileAt('http://localhost:8000'), 'local'],
  ['this machine by IPv6', true, profileAt('http://[::1]:8000'), 'local'],
  ['another port', true, profileAt('http://127.0.0.1:8001'), 'http://127.0.0.1:8001'],
  ['another path', true, profileAt('http://127.0.0.1:8000/other'), 'http://127.0.0.1:8000/other'],
  ['another protocol', true, profileAt('https://127.0.0.1:8000'), 'https://127.0.0.1:8000'],
  ['another machine', true, profileAt('http://shop.example:8000'), 'http://shop.example:8000'],
  ['the last address, with the client id of the shop', false, profileAt(ADDRESS, 'SWIAOWN'), 'local'],
  ['the last address, without a client id', false, profileAt(ADDRESS), 'local'],
  ['the last address, with the client id of another shop', false, profileAt(ADDRESS, 'SWIAOTHER'), ADDRESS],
])('%s: %#', async (_, isRunning, profile, target) => {
  expect(await findTarget(dataFolder(ADDRESS, isRunning), profile)).toBe(target)
})

test('a profile with the address of the bundled server has the inbox and the runs of local', async () => {
  const home = temporaryFolder()
  const server = testContext({home})
  const ended = storectl(['server', 'start', '-o', 'json'], server)
  await until('the server listens', () => server.out().includes('\n'))
  const {url, credentials} = JSON.parse(server.out())
  const {clientId, clientSecret} = credentials
  const file = join(home, 'events.ndjson')
  writeFileSync(file, ndjson([event(1)]))
  await storectl(['webhook', 'import', file, '--profile', 'local'], {home})
  const env = {STORECTL_CLIENT_SECRET: clientSecret}
  await storectl(
    ['profile', 'set', 'shop', '--url', url.replace('127.0.0.1', 'localhost'), '--client-id', clientId],
    {home},
  )
  const listIds = async (profile: string) =>
    (await storectl(['webhook', 'list', '--profile', profile, '-o', 'id'], {home})).stdout
  expect(await listIds('shop')).toBe(`${event(1).id}\n`)
  await storectl(['webhook', 'replay', '--profile', 'shop', '--yes'], {home, env})
  const runs = await storectl(['run', 'list', '-o', 'json', '--fields', 'target,profile'], {home})
  expect(JSON.parse(runs.stdout)).toEqual([{target: 'local', profile: 'shop'}])
  server.interruption.stop('SIGINT')
  await ended
  expect(await listIds('shop')).toBe(`${event(1).id}\n`)
})
