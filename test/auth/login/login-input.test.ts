import {expect, test} from 'vitest'
import {readLoginInput} from '../../../src/auth/login/login-input.js'
import type {LoginWords} from '../../../src/auth/login/login-words.js'
import {parseProfileName} from '../../../src/config/setting-definitions.js'

const nobody = async () => {
  throw new Error('nobody is there')
}

function input(words: LoginWords, stored = {}, secret?: string) {
  return readLoginInput(words, {
    stored,
    prompts: {possible: false, askText: nobody, askSecret: nobody, choose: nobody},
    findStoredSecret: async () => secret,
    profileName: parseProfileName,
  })
}

test.each([
  ['https://shop.example', 'shop.example'],
  ['https://shop.example:8443/eu/', 'shop.example-8443-eu'],
  ['http://[::1]:8000', '1-8000'],
  ['https://müller.example', 'xn-mller-kva.example'],
  [`https://shop.example/${'x'.repeat(100)}`, `shop.example-${'x'.repeat(51)}`],
])('a sign-in to %s is kept under a name that flags take: %s', async (url, name) => {
  const {name: given} = await input({url, clientId: 'SWIAX', clientSecret: 'hidden-secret'})
  expect(given).toBe(name)
  expect(parseProfileName(given)).toBe(name)
})

test('without a URL the profiles are named that have one', async () => {
  const stored = {live: {url: 'https://shop.example'}, stage: {url: 'https://stage.example'}}
  await expect(input({clientSecret: 'hidden-secret'}, stored)).rejects.toMatchObject({
    code: 'usage.missing_flag',
    nextSteps: [
      'storectl login … --url URL --client-id ID',
      'storectl login --profile live …   # again to https://shop.example',
      'storectl login --profile stage …   # again to https://stage.example',
    ],
  })
})

test('a URL that a profile has is signed in to with the client id of that profile', async () => {
  const stored = {
    other: {url: 'https://other.example'},
    live: {url: 'https://shop.example', clientId: 'SWIAX'},
  }
  expect(await input({url: 'https://shop.example', clientSecret: 'hidden-secret'}, stored)).toMatchObject({
    name: 'live',
    signIn: {kind: 'client', clientId: 'SWIAX'},
  })
})

test('an empty client id is refused by its name', async () => {
  const words = {url: 'https://shop.example', clientId: '', clientSecret: 'hidden-secret'}
  await expect(input(words)).rejects.toMatchObject({
    code: 'usage.empty',
    message: 'The client id is empty. Nothing was sent.',
  })
})

const LIVE = {live: {url: 'https://shop.example', grant: 'client_credentials', clientId: 'SWIAX'}}
const BY_USER = {live: {url: 'https://shop.example', grant: 'password', username: 'ada'}}

test.each<[string, LoginWords, object, string | undefined, string | undefined]>([
  [
    ...(['nothing is known', {}, {}, undefined] as const),
    '--url URL, --client-id ID or --username NAME, --client-secret-stdin or --password-stdin',
  ],
  [
    'a URL that no profile has',
    {url: 'https://shop.example', clientId: 'SWIAX'},
    {},
    'kept',
    '--client-secret-stdin',
  ],
  ['a profile with its secret', {profile: 'live'}, LIVE, 'kept', undefined],
  ['a URL of a profile with its secret', {url: 'https://shop.example'}, LIVE, 'kept', undefined],
  ['a profile without its secret', {profile: 'live'}, LIVE, undefined, '--client-secret-stdin'],
  [
    ...(['another client than that of the profile', {profile: 'live', clientId: 'SWIAY'}] as const),
    ...([LIVE, 'kept', '--client-secret-stdin'] as const),
  ],
  [
    'a secret without its client',
    {url: 'https://shop.example', clientSecret: 'x'},
    {},
    'kept',
    '--client-id ID',
  ],
  ['a user', {profile: 'live'}, BY_USER, 'kept', '--password-stdin'],
  ['a password', {url: 'https://shop.example', password: 'x'}, {}, 'kept', '--username NAME'],
])('where nobody can be asked, what is missing is named: %s', async (_, words, stored, secret, missing) => {
  const asked = input(words, stored, secret)
  if (missing === undefined) {
    expect((await asked).signIn).toEqual({kind: 'client', clientId: 'SWIAX', clientSecret: 'kept'})
    return
  }
  const message = `A sign-in needs ${missing}: not running interactively.`
  await expect(asked).rejects.toMatchObject({code: 'usage.missing_flag', message})
})

test.each([{clientId: 'SWIAX'}, {clientSecret: 'x'}])('%j does not go with a user', async client => {
  for (const user of [{username: 'ada'}, {password: 'x'}])
    await expect(input({url: 'https://shop.example', ...client, ...user})).rejects.toMatchObject({
      code: 'usage.two_grants',
      message: 'Sign in with a client id and secret, or with a user name and password, not both.',
    })
})

test.each([
  ['', 'shop.example'],
  [' till ', 'till'],
])('a person is asked for URL and name, and %j answers the name %s', async (typed, name) => {
  const answers = ['https://shop.example', typed, 'SWIAX']
  const asked: string[] = []
  const given = await readLoginInput(
    {},
    {
      ...{stored: {}, profileName: parseProfileName, findStoredSecret: async () => undefined},
      prompts: {
        possible: true,
        askText: async question => {
          asked.push(question)
          return answers.shift() ?? ''
        },
        askSecret: async () => 'hidden-secret',
        choose: async (_, choices) => choices[0]?.value as never,
      },
    },
  )
  expect(given).toMatchObject({name, isSecretAsked: true, signIn: {kind: 'client', clientId: 'SWIAX'}})
  expect(asked).toEqual(['URL of the shop:', 'Name of the profile:', 'Access key id (SWIA…):'])
})

test('a person is asked for the secret, though one is kept', async () => {
  const given = await readLoginInput(
    {profile: 'live'},
    {
      ...{stored: LIVE as never, profileName: parseProfileName, findStoredSecret: async () => 'kept'},
      prompts: {possible: true, askText: nobody, askSecret: async () => 'typed', choose: nobody},
    },
  )
  expect(given).toMatchObject({isSecretAsked: true, signIn: {clientId: 'SWIAX', clientSecret: 'typed'}})
})
