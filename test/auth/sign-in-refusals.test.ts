import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {WEBHOOK_TOKEN_KEY} from '../../src/shop/rules/webhook-tokens.js'
import {BASE_IDS} from '../../src/shop/runtime/base-data.js'
import {StoppedClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {orderOf} from '../support/order-shop.js'
import {type TestShop, testShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {ndjson} from '../webhook/support.js'

/** A bundled shop, a home of its own and an integration or a user that a test may take away again. */
interface Setting {
  readonly shop: TestShop
  readonly home: string
  readonly clock: StoppedClock
  /** Sends what changes the shop, as its administrator. */
  readonly change: (method: string, path: string, body?: object) => Promise<void>
  /** Signs in as the profile "till"; as the integration unless flags and a secret say otherwise. */
  readonly login: (flags?: readonly string[], secret?: string) => Promise<Said>
}

interface Said {
  readonly exit: number
  readonly stdout: string
  readonly code: string
  readonly message: string
  readonly nextSteps: readonly string[]
}

const KEY = {accessKey: 'SWIATILLTILLTILLTILLTILL01', secretAccessKey: 'the-secret-of-the-till'}
const KEY_ID = '0192b7a1c2d37e4f8a9b00000000ca11'
const ADA = {username: 'ada', password: 'the password of ada'}
const ADA_ID = '0192b7a1c2d37e4f8a9b00000000ada0'

/** Who may write integrations and users. */
const verifiedGrantOf = ({credentials: {username, password}}: TestShop) => ({
  ...{grant_type: 'password', client_id: 'administration', scope: 'user-verified'},
  ...{username, password},
})

/** @param flags of the sign-in that is tried: only a user is made for a user, whose password takes long to hash */
async function setting(flags?: readonly string[]): Promise<Setting> {
  const clock = new StoppedClock()
  const shop = await testShop({clock})
  const change = async (method: string, path: string, body: object = {}) => {
    const granted = await shop.post('/api/oauth/token', verifiedGrantOf(shop), JSON_TYPE)
    const {access_token} = (await granted.json()) as {access_token: string}
    const headers = {...JSON_TYPE, authorization: `Bearer ${access_token}`}
    const answer = await fetch(`${shop.url}${path}`, {method, headers, body: JSON.stringify(body)})
    expect([method, path, answer.status]).toEqual([method, path, 204])
  }
  await change('POST', '/api/integration', {id: KEY_ID, label: 'till', admin: true, ...KEY})
  if (flags?.includes('--username'))
    await change('POST', '/api/user', {
      ...{id: ADA_ID, localeId: BASE_IDS.locale, firstName: 'Ada', lastName: 'Byron'},
      ...{email: 'ada@example.test', admin: true, ...ADA},
    })
  const home = temporaryFolder()
  const login: Setting['login'] = (flags = ['--client-id', KEY.accessKey], secret = KEY.secretAccessKey) => {
    const url = flags.includes('--url') ? [] : ['--url', shop.url]
    const from = flags.includes('--username') ? '--password-stdin' : '--client-secret-stdin'
    return said(['login', '--profile', 'till', ...url, ...flags, from], {home, clock, stdin: secret})
  }
  return {shop, home, clock, change, login}
}

async function said(argv: readonly string[], options: object): Promise<Said> {
  const {exit, stdout, stderr} = await storectl([...argv, '-o', 'json'], options)
  const last = stderr.trim().split('\n').at(-1) ?? ''
  const {error} = last.startsWith('{"error"')
    ? JSON.parse(last)
    : {error: {code: '', message: stderr, nextSteps: []}}
  return {exit, stdout, ...error}
}

const USER = ['--username', ADA.username]
const JSON_TYPE = {'content-type': 'application/json'}

/** Commands that read, that write, and that only look whether they could. */
const COMMANDS = (home: string): string[][] => {
  const orders = join(home, 'orders.json')
  writeFileSync(orders, JSON.stringify(orderOf('A-1')))
  return [
    ['customer', 'search'],
    ['order', 'submit', orders, '--yes'],
    ['auth', 'status', '--check'],
    ['api', 'GET', '/api/_info/version'],
  ]
}

/** A request that the shop grants, and that makes it forget those that failed. */
const grantOf = ({credentials}: TestShop) => ({
  grant_type: 'client_credentials',
  client_id: credentials.clientId,
  client_secret: credentials.clientSecret,
})

const ID = ['--client-id', KEY.accessKey]

/** A sign-in by hand that goes wrong; what is tried by hand is tried by a job's environment as well. */
const REFUSED: Record<
  string,
  {
    readonly flags: readonly string[]
    readonly secret?: string
    readonly exit?: number
    readonly code: string
    readonly words: string
    readonly step?: string
  }
> = {
  'a wrong id': {
    flags: ['--client-id', 'SWIATILLTILLTILLTILLTILL99'],
    code: 'auth.client_unknown',
    words: 'does not know client SWIATILLTILLTILLTILLTILL99.',
  },
  'an id that was cut in copying': {
    flags: ['--client-id', 'SWIATILLTILLTILL'],
    code: 'auth.client_unknown',
    words: 'this one differs (16 characters)',
  },
  'the key of a sales channel': {
    flags: ['--client-id', 'SWSCTILLTILLTILLTILLTILL01'],
    code: 'auth.client_unknown',
    words: 'is the key of a sales channel',
  },
  'a wrong secret': {
    flags: ID,
    secret: 'another-secret',
    code: 'auth.secret_refused',
    words: `Wrong client secret for ${KEY.accessKey} at`,
  },
  'an id of no kind that the shop knows, which it answers with 500': {
    flags: ['--client-id', 'foo'],
    code: 'auth.client_id_unknown',
    words: 'does not know client foo: the id of an integration begins with SWIA',
    step: '--client-id SWIA…',
  },
  'a wrong password': {
    flags: USER,
    secret: 'another-password',
    code: 'auth.wrong_password',
    words: 'wrong user name or password',
  },
  'a user who is not there': {
    flags: ['--username', 'nobody'],
    secret: ADA.password,
    code: 'auth.wrong_password',
    words: 'refused user nobody',
  },
}

test.each(Object.entries(REFUSED))(
  '%s: login says so, and a job with an environment of its own',
  async (_, row) => {
    const {shop, home, clock, login} = await setting(row.flags)
    const {
      flags,
      secret = KEY.secretAccessKey,
      exit = 4,
      code,
      words,
      step = 'storectl login --profile till',
    } = row
    const ended = await login(flags, secret)
    expect([ended.exit, ended.code, ended.stdout]).toEqual([exit, code, ''])
    expect(ended.message).toContain(words)
    expect(ended.nextSteps[0]).toContain(step)
    const [kind, who = ''] = flags
    const env: Record<string, string> =
      kind === '--username'
        ? {STORECTL_USERNAME: who, STORECTL_PASSWORD: secret}
        : {STORECTL_CLIENT_ID: who, STORECTL_CLIENT_SECRET: secret}
    for (const argv of COMMANDS(home)) {
      await shop.post('/api/oauth/token', grantOf(shop), JSON_TYPE)
      const job = await said(argv, {home, clock, env: {...env, STORECTL_URL: shop.url}})
      expect([argv[1], job.exit, job.code]).toEqual([argv[1], exit, code])
      expect(job.message).toContain(words)
      expect(job.nextSteps[0]).toMatch(
        /^export STORECTL_(CLIENT_ID=… STORECTL_CLIENT_SECRET|USERNAME=… STORECTL_PASSWORD)=…$/,
      )
    }
  },
)

/** A sign-in that worked, and what has happened to it since. */
const ENDED: Record<
  string,
  {
    readonly flags?: readonly string[]
    readonly since: (setting: Setting) => Promise<void> | void
    readonly code: string
    readonly words: string
    /** Does what the next step says. */
    readonly mend: (setting: Setting) => Promise<Said>
  }
> = {
  'an integration that was deleted': {
    since: async ({change, clock}) => {
      await change('DELETE', `/api/integration/${KEY_ID}`)
      clock.advance(600_000)
    },
    code: 'auth.client_unknown',
    words: `does not know client ${KEY.accessKey};`,
    mend: ({login}) => login(USER, ADA.password),
  },
  'a secret that was replaced by a new one': {
    since: async ({change, clock}) => {
      await change('PATCH', `/api/integration/${KEY_ID}`, {secretAccessKey: 'the-new-secret'})
      clock.advance(600_000)
    },
    code: 'auth.secret_refused',
    words: 'it was replaced there',
    mend: ({login}) => login(ID, 'the-new-secret'),
  },
  'a password that was changed': {
    flags: USER,
    since: async ({change, clock}) => {
      clock.advance(5000)
      await change('PATCH', `/api/user/${ADA_ID}`, {password: 'the new password'})
    },
    code: 'auth.password_changed',
    words: 'the password was changed after it was issued',
    mend: ({login}) => login(USER, 'the new password'),
  },
  'a user who was deleted': {
    flags: USER,
    since: ({change}) => change('DELETE', `/api/user/${ADA_ID}`),
    code: 'auth.user_deleted',
    words: 'its user or integration was deleted',
    mend: ({login}) => login(),
  },
  'a refresh token that another copy of the home has used': {
    flags: USER,
    since: async ({home, clock}) => {
      clock.advance(600_000)
      const copy = temporaryFolder()
      for (const name of ['settings.json', 'credentials.json'])
        writeFileSync(join(copy, name), readFileSync(join(home, name)))
      expect((await said(['auth', 'status', '--check'], {home: copy, clock})).exit).toBe(0)
    },
    code: 'auth.session_ended',
    words: 'its refresh token was already used, or the password was changed',
    mend: ({login}) => login(USER, ADA.password),
  },
  'a refresh token of more than a week ago': {
    flags: USER,
    since: ({clock}) => clock.advance(8 * 86_400_000),
    code: 'auth.session_ended',
    words: 'its refresh token has expired, a week after the last renewal',
    mend: ({login}) => login(USER, ADA.password),
  },
  'a token with nothing kept to renew it': {
    flags: [...ID, '--no-remember'],
    since: ({clock}) => clock.advance(600_000),
    code: 'auth.session_ended',
    words: 'ended at 2026-11-21T12:10:00.000Z, and no credentials are stored to renew it',
    mend: ({login}) => login(),
  },
}

test.each(Object.entries(ENDED))('%s: every command says so, and the next step mends it', async (_, row) => {
  const set = await setting(USER)
  const {home, clock, login} = set
  expect((await login(row.flags, row.flags === USER ? ADA.password : KEY.secretAccessKey)).exit).toBe(0)
  await row.since(set)
  const messages: string[] = []
  for (const argv of COMMANDS(home)) {
    const ended = await said(argv, {home, clock})
    expect([argv[1], ended.exit, ended.code]).toEqual([argv[1], 4, row.code])
    expect(ended.nextSteps[0]).toBe('storectl login --profile till')
    messages.push(ended.message)
  }
  expect(messages[0]).toContain(row.words)
  expect(await row.mend(set)).toMatchObject({exit: 0})
  expect(await said(['auth', 'status', '--check'], {home, clock})).toMatchObject({exit: 0})
})

test('a token from the environment that has expired: it says when', async () => {
  const {shop, home, clock, login} = await setting()
  await login()
  const {stdout} = await storectl(['auth', 'token'], {home, clock})
  const options = {clock, env: {STORECTL_URL: shop.url, STORECTL_TOKEN: stdout.trim()}}
  expect(JSON.parse((await said(['auth', 'status'], options)).stdout)[0].expiresAt).toMatch(
    /^2026-11-21T12:(10:00|09:59)/,
  )
  expect(await said(['auth', 'token', '--min-ttl', '9m'], options)).toMatchObject({exit: 0})
  expect((await said(['auth', 'token', '--min-ttl', '11m'], options)).message).toContain(
    'no credentials are stored to renew it',
  )
  clock.advance(600_000)
  for (const argv of COMMANDS(home)) {
    const ended = await said(argv, options)
    expect([ended.exit, ended.code]).toEqual([4, 'auth.token_expired'])
    expect(ended.message).toMatch(/STORECTL_TOKEN expired at 2026-11-21T12:(10:00|09:59)/)
    expect(ended.nextSteps[0]).toBe('export STORECTL_TOKEN=…')
  }
})

test('too many sign-ins that failed: the seconds are told, --wait waits for them and then goes on', async () => {
  const {shop, home, clock, login} = await setting()
  const env = {
    STORECTL_URL: shop.url,
    STORECTL_CLIENT_ID: KEY.accessKey,
    STORECTL_CLIENT_SECRET: 'wrong-secret',
  }
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect((await said(['customer', 'search'], {home, clock, env})).code).toBe('auth.secret_refused')
  }
  const right = {...env, STORECTL_CLIENT_SECRET: KEY.secretAccessKey}
  for (const argv of [
    ['customer', 'search'],
    ['auth', 'token'],
  ]) {
    const ended = await said(argv, {home, clock, env: right})
    expect([ended.exit, ended.code]).toEqual([6, 'unavailable.throttled'])
    expect(ended.message).toContain('Wait 10 s; until then it refuses even a correct secret')
    expect(ended.nextSteps).toEqual(['run the command again with --wait'])
  }
  expect((await login()).message).toContain('Wait 10 s')
  expect(await said(['customer', 'search', '--wait'], {home, clock, env: right})).toMatchObject({exit: 0})
  expect(clock.sleeps).toEqual([10_000])
})

test('a webhook token that was replaced: the run stops at once, and the next step mends it', async () => {
  const {shop, home, clock, change, login} = await setting()
  const token = join(temporaryFolder(), 'token')
  writeFileSync(token, shop.credentials.webhookToken)
  await login([...ID, '--webhook-token-file', token])
  const events = join(home, 'events.ndjson')
  writeFileSync(
    events,
    ndjson(
      [
        {
          id: 'WH-1',
          event_type: 'PAYMENT.CAPTURE.COMPLETED',
          create_time: clock.now(),
          resource_type: 'capture',
          resource_version: '2.0',
          resource: {id: '1', custom_id: 'a'.repeat(32)},
        },
      ],
      shop.credentials.webhookToken,
    ),
  )
  const replay = ['webhook', 'replay', events, '--yes', '--max-age', 'none', '--no-check-state']
  await change('POST', '/api/_action/system-config', {[WEBHOOK_TOKEN_KEY]: 'n'.repeat(32)})
  const ended = await said(replay, {home, clock})
  expect([ended.exit, ended.code]).toEqual([4, 'auth.webhook_token_refused'])
  expect(ended.nextSteps[0]).toBe('storectl profile set till --webhook-token-stdin')
  await storectl(['profile', 'set', 'till', '--webhook-token-stdin'], {home, clock, stdin: 'n'.repeat(32)})
  expect((await said(replay, {home, clock})).code).not.toMatch(/^auth/)
})

test.each<[string, (url: string) => string, number, string, string, RegExp]>([
  [
    'a path where no shop is',
    url => `${url}/nowhere`,
    2,
    'usage.not_a_shop',
    'answered 200 with text/html',
    /^storectl auth status/,
  ],
  [
    'the /api of a shop',
    url => `${url}/api`,
    2,
    'usage.not_a_shop',
    'answered 404',
    /--url http:\/\/127.0.0.1:\d+ {3}#|STORECTL_URL=http:\/\/127.0.0.1:\d+ {3}#/,
  ],
  [
    'https where plain HTTP is spoken',
    url => url.replace('http:', 'https:'),
    6,
    'unavailable.no_tls',
    'it does not speak TLS',
    /http:\/\//,
  ],
  [
    'a port where nobody listens',
    () => 'http://127.0.0.1:9',
    6,
    'unavailable.not_connected',
    'ECONNREFUSED',
    /^storectl auth status/,
  ],
  [
    'a host that is not there',
    () => 'http://shop.invalid',
    6,
    'unavailable.not_connected',
    'ENOTFOUND',
    /^storectl auth status/,
  ],
])('%s: login and every command say so', async (_, wrong, exit, code, words, step) => {
  const {shop, home, clock, login} = await setting()
  const url = wrong(shop.url)
  const env = {
    STORECTL_URL: url,
    STORECTL_CLIENT_ID: KEY.accessKey,
    STORECTL_CLIENT_SECRET: KEY.secretAccessKey,
  }
  const ends = [await login([...ID, '--url', url])]
  for (const argv of COMMANDS(home)) ends.push(await said(argv, {home, clock, env}))
  for (const ended of ends) {
    expect(ended.exit).toBe(exit)
    if (ended.stdout.includes('A-1')) expect(ended.stdout).toContain(words)
    if (ended.stdout.includes('A-1')) continue
    expect(ended.code).toBe(code)
    expect(ended.message).toContain(words)
    expect(ended.nextSteps[0]).toMatch(step)
  }
})
