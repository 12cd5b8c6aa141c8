import {expect, test} from 'vitest'
import type {AccessToken} from '../../src/auth/credentials/secrets.js'
import {signInFrom} from '../../src/auth/credentials/secrets.js'
import {createNoWebhookTokenError} from '../../src/auth/credentials/sign-in-commands.js'
import {parseProfileChange} from '../../src/auth/login/change-profile.js'
import {parseBaseUrl} from '../../src/auth/profile/base-url.js'
import {confirmWrite} from '../../src/auth/profile/confirm-write.js'
import {type Profile, UNNAMED} from '../../src/auth/profile/profile.js'
import {createNoProviderCredentialsError, readProviderAccess} from '../../src/auth/token/provider-access.js'
import {getToken} from '../../src/auth/token/token-source.js'
import {StoppedClock} from '../support/clock.js'

const profile: Profile = {
  ...{name: 'shop', url: parseBaseUrl('https://shop.example'), provider: 'paypal', tokenPrefix: 'sw'},
  ...{grant: 'client_credentials', protected: false, presumeLostAfterMs: undefined},
}

/** The error of something that is refused. */
const refusalOf = async (act: () => unknown) => {
  try {
    await act()
  } catch (error) {
    return error
  }
  throw new Error('it was not refused')
}

test.each([
  [{STORECTL_CLIENT_SECRET: 'secret'}, 'STORECTL_CLIENT_SECRET', 'STORECTL_CLIENT_ID'],
  [{STORECTL_PASSWORD: 'secret'}, 'STORECTL_PASSWORD', 'STORECTL_USERNAME'],
  [{STORECTL_CLIENT_ID: 'SWIAOTHER'}, 'STORECTL_CLIENT_ID', 'STORECTL_CLIENT_SECRET'],
  [{STORECTL_USERNAME: 'somebody else'}, 'STORECTL_USERNAME', 'STORECTL_PASSWORD'],
])('of half a pair the other half is asked for: %j', async (env, set, missing) => {
  expect(await refusalOf(() => signInFrom(env, profile))).toMatchObject({
    code: 'usage.half_credentials',
    message: `${set} is set, but ${missing} is not.`,
    nextSteps: [`export ${missing}=…`],
  })
})

test('a secret for the provider without its id says both ways to give one', async () => {
  const env = {STORECTL_PROVIDER_CLIENT_SECRET: 'secret'}
  expect(await refusalOf(() => readProviderAccess(env, profile, {}))).toMatchObject({
    code: 'usage.half_credentials',
    nextSteps: ['export STORECTL_PROVIDER_CLIENT_ID=…', 'storectl profile set NAME --provider-client-id ID'],
  })
})

test('where a secret of the shop is missing, the command names its profile, or how to make one', () => {
  const named = ['shop', 'storectl profile set shop '] as const
  const unnamed = [UNNAMED, 'storectl profile set NAME --url URL '] as const
  for (const [name, command] of [named, unnamed]) {
    expect(createNoProviderCredentialsError(name).nextSteps[0]).toBe(
      `${command}--provider-client-id ID --provider-client-secret-stdin`,
    )
    expect(createNoWebhookTokenError({name}).nextSteps).toEqual([
      'export STORECTL_WEBHOOK_TOKEN=…',
      `${command}--webhook-token-stdin`,
    ])
  }
})

test('a protected profile says that --yes is not enough', async () => {
  const prompts = {possible: false, confirm: async () => true, askText: async () => 'shop'}
  const agreement = {profile: {name: 'shop', protected: true}, yes: true, confirm: undefined, prompts}
  expect(await refusalOf(() => confirmWrite('send 3 orders', agreement))).toMatchObject({
    message: 'Protected profile "shop": --yes is not enough. Nothing was sent or changed.',
    nextSteps: ['add --confirm shop'],
  })
})

const changed = (headers: string | undefined, basicAuth?: string) =>
  parseProfileChange(
    {} as Parameters<typeof parseProfileChange>[0],
    async ({what}) =>
      what === 'headers' ? headers : what === 'Basic auth credentials' ? basicAuth : undefined,
    () => {},
  )

test('a header that is none is refused by its line, without its value', async () => {
  expect((await changed('X-One: 1\n\n  \r\nX-Two: a: b')).headers).toEqual({'X-One': '1', 'X-Two': 'a: b'})
  const none = await refusalOf(() => changed('X-One: 1\nsecret'))
  expect(none).toMatchObject({
    code: 'usage.header',
    message: expect.stringMatching(/^Line 2 is not a header/),
  })
  expect(await refusalOf(() => changed('Host: shop.example'))).toMatchObject({
    code: 'usage.header',
    message: 'Line 1: the header "Host" is set by storectl itself.',
  })
})

test('Basic auth credentials are a user and a password on one line', async () => {
  const {authorization} = await changed(undefined, 'ada:pass:word\n')
  expect(authorization).toBe(`Basic ${Buffer.from('ada:pass:word').toString('base64')}`)
  for (const text of ['ada', ':password', 'ada:pass\u0007word', 'ada:pass\u007fword'])
    expect(await refusalOf(() => changed(undefined, text)), text).toMatchObject({code: 'usage.basic_auth'})
})

test('a token that has to last longer than any that there is, is refused with how long there is', async () => {
  const clock = new StoppedClock()
  const {signal} = new AbortController()
  const ending = (seconds: number): AccessToken => ({
    ...{value: `for ${seconds} s`, obtainedAt: clock.now(), grant: 'client_credentials', skewMs: 0},
    expiresAt: new Date(clock.now().getTime() + seconds * 1000),
  })
  const get = (minTtlMs: number, renewed: AccessToken | undefined) =>
    getToken(minTtlMs, {obtain: async () => ending(30), renew: async () => renewed}, clock, signal)
  expect((await get(10_000, undefined)).value).toBe('for 30 s')
  expect((await get(60_000, ending(600))).value).toBe('for 600 s')
  expect(await refusalOf(() => get(900_000, ending(600)))).toMatchObject({
    code: 'usage.min_ttl',
    message: "The shop's tokens are too short-lived: a new one expires in 600 s, and 900 s are needed.",
    nextSteps: ['storectl auth token --min-ttl 60s'],
  })
  expect(await refusalOf(() => get(60_000, undefined))).toMatchObject({
    code: 'usage.min_ttl',
    message: 'The token expires in 30 s, and no credentials are stored to renew it.',
    nextSteps: ['storectl auth token --min-ttl 30s'],
  })
})
