import {expect, test} from 'vitest'
import {createKeyringStore, type KeyringDeps} from '../../../src/auth/credentials/keyring-secret-store.js'
import type {KeyringAnswer, KeyringRequest} from '../../../src/platform/keyring.js'

const SHOP = {name: 'shop', url: new URL('https://shop.example/de')}

/** A keyring in memory that can fall silent, and the store on it. */
function store(given: Partial<KeyringDeps> = {}) {
  const entries = new Map<string, string>()
  const warnings: string[] = []
  let failure: string | undefined
  const answer = (request: KeyringRequest): KeyringAnswer => {
    if (failure !== undefined) return {failure}
    if (request.act === 'write') entries.set(request.account, request.text)
    if (request.act === 'remove') entries.delete(request.account)
    const text = request.act === 'read' ? entries.get(request.account) : undefined
    return text === undefined ? {} : {text}
  }
  const deps = {
    keyring: async (request: KeyringRequest) => answer(request),
    home: undefined,
    warn: async (text: string) => void warnings.push(text),
  }
  const fail = (why: string) => {
    failure = why
  }
  return {of: createKeyringStore({...deps, ...given}), entries, warnings, fail}
}

test('an entry is called after the profile, its URL and a home that is set apart', () => {
  expect(store().of.describeLocation(SHOP)).toBe('shop https://shop.example/de')
  expect(store({home: '/srv/jobs'}).of.describeLocation(SHOP)).toBe(
    'shop https://shop.example/de in /srv/jobs',
  )
})

test('what was read once is gone on with when the keyring falls silent, a change of it too', async () => {
  const {of, warnings, fail} = store()
  await of.change(SHOP, () => ({clientSecret: 'one', webhookToken: 'two'}))
  fail('it is locked')
  await expect(of.change(SHOP, now => ({...now, clientSecret: 'three'}))).rejects.toMatchObject({
    code: 'auth.keyring',
  })
  expect(await of.read(SHOP)).toEqual({clientSecret: 'three', webhookToken: 'two'})
  expect(warnings).toEqual([
    'The secrets of "shop" are in the OS keyring, which is not available: it is locked. Using the secrets that were read before.',
  ])
})

test('a keyring that was never read is no empty one', async () => {
  const {of, fail} = store()
  fail('it is locked')
  await expect(of.read(SHOP)).rejects.toMatchObject({
    ...{code: 'auth.keyring', exit: 4},
    nextSteps: [
      'unlock the keyring and run the command again',
      'storectl login --profile shop --store file   # stores them in a file with mode 0600',
    ],
  })
})

test('an entry that something else wrote, or for another URL, counts as none', async () => {
  const {of, entries} = store()
  for (const text of ['not JSON', '[]', '{"url":"https://evil.example","clientSecret":"x"}']) {
    entries.set(of.describeLocation(SHOP), text)
    expect(await of.read(SHOP)).toEqual({})
  }
})

test('forgetting takes the entry away', async () => {
  const {of, entries} = store()
  await of.change(SHOP, () => ({clientSecret: 'one'}))
  await of.forget(SHOP)
  expect([...entries]).toEqual([])
  expect(await of.read(SHOP)).toEqual({})
})
