import {expect, test} from 'vitest'
import {createCredentials, type StoredCredentials} from '../../../src/auth/credentials/credentials.js'
import {createKeyringStore} from '../../../src/auth/credentials/keyring-secret-store.js'
import {createFileStore, type SecretStore} from '../../../src/auth/credentials/secret-store.js'
import type {StoredProfile} from '../../../src/auth/profile/stored-profiles.js'
import type {JsonObject} from '../../../src/platform/files/json-store.js'

const URL_OF_SHOP = 'https://shop.example'
const SHOP = {name: 'shop', url: new URL(URL_OF_SHOP)}
const FILED: StoredProfile = {url: URL_OF_SHOP}
const IN_KEYRING: StoredProfile = {url: URL_OF_SHOP, store: 'keyring'}

/** Both stores in memory, with a profile as the settings have it; the keyring can fall silent. */
function openCredentials(profile?: StoredProfile) {
  const profiles = {...(profile && {shop: profile})}
  const warnings: string[] = []
  const warn = async (text: string) => void warnings.push(text)
  const entries = new Map<string, string>()
  const state: {failure?: string; filed: JsonObject} = {filed: {}}
  const file = createFileStore({
    file: '/home/credentials.json',
    read: async () => state.filed,
    update: async change => {
      state.filed = change(state.filed) ?? state.filed
    },
  } as Parameters<typeof createFileStore>[0])
  const keyring = createKeyringStore({
    keyring: async request => {
      if (state.failure !== undefined) return {failure: state.failure}
      if (request.act === 'write') entries.set(request.account, request.text)
      if (request.act === 'remove') entries.delete(request.account)
      const text = request.act === 'read' ? entries.get(request.account) : undefined
      return text === undefined ? {} : {text}
    },
    ...{home: undefined, warn},
  })
  const credentials = createCredentials({
    ...{file, keyring: async () => keyring, profiles: async () => profiles},
    ...{withExclusiveLock: (_, work) => work(), warn},
  })
  const saved: string[] = []
  const change = (clientSecret: string) => (kept: StoredCredentials) => ({...kept, clientSecret})
  const put = (wanted: 'file' | 'keyring' | undefined, clientSecret = 'new') =>
    credentials.put(
      ...([SHOP, wanted, change(clientSecret)] as const),
      async ({store, location}) => void saved.push(`${store}: ${location}`),
    )
  const inBoth = async () => {
    const look = async (store: SecretStore) => (await store.read(SHOP)).clientSecret
    return {file: await look(file), keyring: await look(keyring)}
  }
  return {credentials, file, keyring, warnings, state, saved, put, inBoth}
}

const keep = (clientSecret: string) => () => ({clientSecret, webhookToken: 'token'})

test.each([
  ['nothing', undefined, 'file'],
  ['a profile in the file', FILED, 'file'],
  ['a profile in the keyring', IN_KEYRING, 'keyring'],
] as const)('a sign-in that names no store, over %s, goes to the %s', async (_, profile, store) => {
  const {put, saved, inBoth, warnings} = openCredentials(profile)
  expect((await put(undefined)).store).toBe(store)
  expect(saved).toEqual([store === 'file' ? 'file: /home/credentials.json' : `keyring: shop ${URL_OF_SHOP}`])
  expect(await inBoth()).toMatchObject({[store]: 'new', [store === 'file' ? 'keyring' : 'file']: undefined})
  expect(warnings).toEqual([])
})

test.each(['file', 'keyring'] as const)(
  'from the other store to the %s all is carried, and nothing stays',
  async to => {
    const {put, credentials, file, keyring, inBoth, warnings} = openCredentials(
      to === 'file' ? IN_KEYRING : FILED,
    )
    const [source, target] = to === 'file' ? [keyring, file] : [file, keyring]
    await source.change(SHOP, keep('old'))
    expect(await credentials.read(SHOP)).toMatchObject({clientSecret: 'old'})
    await put(to)
    expect(await inBoth()).toEqual({file: undefined, keyring: undefined, [to]: 'new'})
    expect(await target.read(SHOP)).toEqual({clientSecret: 'new', webhookToken: 'token'})
    expect(warnings).toEqual([])
  },
)

test('a keyring that cannot be used is named, and the file has the secrets', async () => {
  const {put, state, saved, warnings, file} = openCredentials()
  state.failure = 'it is locked'
  await put('keyring')
  expect(saved).toEqual(['file: /home/credentials.json'])
  expect(warnings).toEqual([
    'the OS keyring cannot be used: it is locked. The secrets are stored in /home/credentials.json instead.',
  ])
  expect(await file.read(SHOP)).toEqual({clientSecret: 'new'})
})

test('what stays in a keyring that fell silent is named, and what was not carried over', async () => {
  const {put, credentials, keyring, state, warnings} = openCredentials(IN_KEYRING)
  await keyring.change(SHOP, keep('old'))
  state.failure = 'it is locked'
  const stays = `the OS keyring cannot be used (it is locked), so entry "shop ${URL_OF_SHOP}" of storectl stays in it.`
  await put('file')
  expect(warnings.at(-1)).toBe(`${stays} Set its webhook token and extra headers again.`)
  await credentials.forget('shop', IN_KEYRING)
  expect(warnings.at(-1)).toBe(stays)
})

test('a look says where the secrets lie, and what is wrong with a keyring, without failing', async () => {
  const {credentials, keyring, state} = openCredentials(IN_KEYRING)
  expect(await openCredentials().credentials.look(SHOP)).toEqual({
    ...{store: 'file', location: '/home/credentials.json', kept: {}},
  })
  state.failure = 'it is locked'
  expect(await credentials.look(SHOP)).toMatchObject({
    ...{store: 'keyring', location: `shop ${URL_OF_SHOP}`, kept: {}, problem: {code: 'auth.keyring'}},
  })
  await expect(credentials.read(SHOP)).rejects.toMatchObject({code: 'auth.keyring'})
  delete state.failure
  await keyring.change(SHOP, keep('old'))
  expect(await credentials.look(SHOP)).toMatchObject({kept: {clientSecret: 'old'}})
})

test('of a profile whose URL has changed nothing is read from the keyring', async () => {
  const {credentials, keyring} = openCredentials({url: 'https://other.example', store: 'keyring'})
  await keyring.change(SHOP, keep('old'))
  expect(await credentials.read(SHOP)).toEqual({})
})

test('forgetting a profile takes its secrets out of both stores', async () => {
  const {credentials, file, keyring, inBoth} = openCredentials(IN_KEYRING)
  for (const store of [file, keyring]) await store.change(SHOP, keep('old'))
  await credentials.forget('shop', IN_KEYRING)
  expect(await inBoth()).toEqual({file: undefined, keyring: undefined})
})
