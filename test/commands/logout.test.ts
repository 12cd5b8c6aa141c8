import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'

const URL = 'https://shop.example'

function signedIn(): string {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.json'), JSON.stringify({profiles: {a: {url: URL, clientId: 'SWIAX'}}}))
  const kept = {a: {url: URL, clientSecret: 'hidden-secret', webhookToken: 'hidden-token'}}
  writeFileSync(join(home, 'credentials.json'), JSON.stringify(kept), {mode: 0o600})
  return home
}

test('drops what signs in, and keeps the rest of the profile', async () => {
  const home = signedIn()
  const {exit, stderr} = await storectl(['logout', '--profile', 'a'], {home})
  expect([exit, stderr]).toEqual([0, 'Signed out of a (https://shop.example).\n'])
  const {a} = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))
  expect(a).toEqual({url: URL, webhookToken: 'hidden-token'})
})

test('of a URL without a profile nothing is kept, and what the environment gives stays', async () => {
  const env = {STORECTL_URL: `${URL}/de`, STORECTL_TOKEN: 'a-token-of-the-test'}
  const {exit, stderr} = await storectl(['logout'], {env})
  expect([exit, stderr]).toEqual([
    0,
    'Not signed in to https://shop.example/de: without a profile, nothing is stored. ' +
      'STORECTL_TOKEN in the environment is not stored, and stays in force until you unset it.\n',
  ])
})

test('a profile that nothing is kept for says so', async () => {
  const home = signedIn()
  await storectl(['logout', '--profile', 'a'], {home})
  const {stderr} = await storectl(['logout', '--profile', 'a'], {home})
  expect(stderr).toBe('Not signed in to a (https://shop.example): no credentials are stored.\n')
})
