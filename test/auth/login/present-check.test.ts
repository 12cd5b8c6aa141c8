import {expect, test} from 'vitest'
import {presentCheck, presentStatuses} from '../../../src/auth/login/sign-in-status.js'
import {StorectlError} from '../../../src/errors.js'
import type {ShopVersions} from '../../../src/shopware/versions/version-range.js'

const UNKNOWN: ShopVersions = {shop: null, plugin: null, from: null}

/** What is said of a shop that answers with its version. */
async function check(versions: ShopVersions, answered = '6.6.10.3'): Promise<string[]> {
  const body = Buffer.from(JSON.stringify({version: answered}))
  const call = async () => ({status: 200, headers: {'content-type': 'application/json'}, body})
  const notes: string[] = []
  await presentCheck(
    {
      signed: {call},
      refusal: () => new Error('refused'),
      profile: {url: new URL('https://shop.example')},
    } as never,
    {signal: new AbortController().signal, versions},
    {note: async (text: string) => void notes.push(text)} as never,
  )
  return notes
}

test.each<[string, ShopVersions, string]>([
  ['nothing is known before', UNKNOWN, 'Shopware 6.6.10.3, payment plugin (version unknown)'],
  ['its plugin is', {...UNKNOWN, plugin: '9.1.0'}, 'Shopware 6.6.10.3, payment plugin 9.1.0'],
  [
    'the profile has versions of its own',
    {shop: '6.5.8.0', plugin: '8.0.0', from: 'profile'},
    'Shopware 6.5.8.0, payment plugin 8.0.0 (set in the profile)',
  ],
])('a shop that accepts the token is named with its versions, where %s', async (_, versions, expected) => {
  expect(await check(versions)).toEqual([`https://shop.example accepts the token; ${expected}.`])
})

test('of each sign-in the problem is a text, and those of the others are warnings too', async () => {
  const notes: string[] = []
  let printed: unknown
  const status = (profile: string) => ({
    ...{profile, clockSkewMs: 0, problem: new StorectlError('auth.keyring', `no keyring for ${profile}`)},
  })
  await presentStatuses(
    [status('live'), status('stage')] as never,
    {
      printBlocks: async (rows: unknown) => {
        printed = rows
      },
      note: async (text: string) => void notes.push(text),
    } as never,
  )
  expect(printed).toMatchObject([{problem: 'no keyring for live'}, {problem: 'no keyring for stage'}])
  expect(notes).toEqual(['warning: no keyring for stage'])
})
