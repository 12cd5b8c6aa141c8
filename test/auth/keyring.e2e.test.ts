import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {ended, runProcess, startProcess} from '../support/process.js'
import {missingPrograms, type SecretService, secretService, silentBus} from '../support/secret-service.js'
import {type TokenShop, tokenShop} from '../support/shop-endpoint.js'
import {nameOf} from '../support/skipped.js'

const PROCESSES = 10
const SECRET = 'canary-client-secret'
const HEADER = 'canary-gate'
const WEBHOOK_TOKEN = 'canarywebhooktoken0123456789abcd'

const missing = missingPrograms()

type Env = Readonly<Record<string, string>>

const LOGIN = ['login', '--profile', 'shop', '--client-id', 'SWIAX', '--client-secret-stdin']

function login(shop: TokenShop, env: Env, ...more: string[]) {
  return runProcess([...LOGIN, '--url', shop.url, ...more], {env, stdin: SECRET})
}

/** All that lies in a home, by the paths of the files. */
function files(home: string): Record<string, string> {
  const names = (readdirSync(home, {recursive: true}) as string[]).filter(name =>
    statSync(join(home, name)).isFile(),
  )
  return Object.fromEntries(names.map(name => [name, readFileSync(join(home, name), 'latin1')]))
}

function expectNoSecretIn(home: string): void {
  expect(JSON.stringify(files(home))).not.toMatch(/canary|token-\d|refresh-\d/)
}

async function status(env: Env) {
  const {exit, stdout, stderr} = await runProcess(['auth', 'status', '-o', 'json'], {env})
  return {exit, stderr, of: JSON.parse(stdout)[0]}
}

describe.skipIf(process.platform !== 'linux')(
  nameOf('without a keyring', process.platform !== 'linux' && 'Linux'),
  () => {
    test('a bus that says nothing costs five seconds and a line, and the file is used', async () => {
      const home = temporaryFolder()
      const env = {STORECTL_HOME: home, ...(await silentBus()).env}
      const {exit, stderr} = await login(await tokenShop(), env, '--store', 'keyring')
      expect(exit).toBe(0)
      expect(stderr.split('\n').filter(line => line.startsWith('warning:'))).toEqual([
        `warning: the OS keyring cannot be used: it has not answered within 5 s. The secrets are stored in ${home}/credentials.json instead.`,
      ])
      expect(stderr).toContain(`Token stored in ${home}/credentials.json (mode 0600)`)
      expect(statSync(join(home, 'credentials.json')).mode & 0o777).toBe(0o600)
      expect((await status(env)).of).toMatchObject({store: 'file', storedIn: join(home, 'credentials.json')})
    })

    test('Ctrl-C ends a command that waits for the keyring at once, and nothing is kept', async () => {
      const home = temporaryFolder()
      const bus = await silentBus()
      const shop = await tokenShop()
      const child = startProcess([...LOGIN, '--url', shop.url, '--store', 'keyring'], {
        env: {STORECTL_HOME: home, ...bus.env},
      })
      const end = ended(child)
      child.stdin?.end(SECRET)
      await bus.connected()
      child.kill('SIGINT')
      const {exit, stderr} = await end
      expect(exit).toBe(130)
      expect(stderr).not.toContain('has not answered')
      expectNoSecretIn(home)
      await bus.left()
    })

    test('who asks the keyring has no secret in its arguments or environment, and goes when the command is killed', async () => {
      const bus = await silentBus()
      const shop = await tokenShop()
      const env = {STORECTL_HOME: temporaryFolder(), STORECTL_CLIENT_SECRET: SECRET, ...bus.env}
      const argv = ['login', '--url', shop.url, '--client-id', 'SWIAX', '--store', 'keyring']
      const child = startProcess(argv, {env})
      await bus.connected()
      const [asking = ''] = childrenOf(child.pid)
      expect(readFileSync(`/proc/${asking}/cmdline`, 'latin1')).toMatch(/keyring\.js/)
      for (const file of ['cmdline', 'environ']) {
        expect(readFileSync(`/proc/${asking}/${file}`, 'latin1')).not.toContain('canary')
      }
      child.kill('SIGKILL')
      await bus.left()
    })
  },
)

function childrenOf(pid: number | undefined): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')
}

describe.skipIf(missing.length > 0)(nameOf('with a real Secret Service', missing), () => {
  async function signedIn(shop: TokenShop, store = 'keyring') {
    const home = temporaryFolder()
    const service = await secretService()
    const env = {...service.env, STORECTL_HOME: home}
    const {exit, stderr} = await login(shop, env, '--store', store)
    expect(exit).toBe(0)
    return {home, service, env, stderr, account: `shop ${shop.url} in ${home}`}
  }

  function kept({entries}: SecretService): Record<string, Record<string, unknown>> {
    return Object.fromEntries(Object.entries(entries()).map(([name, text]) => [name, JSON.parse(text)]))
  }

  function expire(service: SecretService, account: string): void {
    const entry = kept(service)[account] as {token: object}
    const token = {...entry.token, expiresAt: '2020-01-01T00:00:00.000Z'}
    service.put(account, JSON.stringify({...entry, token}))
  }

  test('all secrets of the profile lie there and none in a file, and it is said', async () => {
    const shop = await tokenShop()
    const {home, service, env, stderr, account} = await signedIn(shop)
    expect(stderr).toContain(`Token stored in the OS keyring, entry "${account}" of storectl, expires in `)
    expect(stderr).not.toContain('warning')
    const header = ['profile', 'set', 'shop', '--header-stdin']
    expect((await runProcess(header, {env, stdin: `X-Gate: ${HEADER}`})).exit).toBe(0)
    const webhook = ['profile', 'set', 'shop', '--webhook-token-stdin']
    expect((await runProcess(webhook, {env, stdin: WEBHOOK_TOKEN})).exit).toBe(0)
    expect(kept(service)).toMatchObject({
      [account]: {
        clientSecret: SECRET,
        headers: {'X-Gate': HEADER},
        webhookToken: WEBHOOK_TOKEN,
        token: {value: 'token-1'},
      },
    })
    expectNoSecretIn(home)
    expect(existsSync(join(home, 'credentials.json'))).toBe(false)
    expect((await status(env)).of).toMatchObject({signedIn: true, store: 'keyring', storedIn: account})
    const shown = await runProcess(['profile', 'show', 'shop', '-o', 'json'], {env})
    expect(JSON.parse(shown.stdout)).toMatchObject({store: 'keyring', hasWebhookToken: true})
    const called = await runProcess(['api', 'GET', '/api/x'], {env})
    expect([called.exit, called.stderr]).toEqual([0, ''])
    expect(shop.calls().at(-1)?.headers).toMatchObject({authorization: 'Bearer token-1', 'x-gate': HEADER})
  })

  test(`${PROCESSES} processes with an ended token make one token request`, async () => {
    const shop = await tokenShop()
    const {home, service, env, account} = await signedIn(shop)
    expire(service, account)
    const ends = await Promise.all(
      Array.from({length: PROCESSES}, () => ended(startProcess(['auth', 'token'], {env}))),
    )
    expect(new Set(ends.map(end => JSON.stringify(end)))).toEqual(
      new Set([JSON.stringify({exit: 0, stdout: 'token-2\n', stderr: ''})]),
    )
    expect(shop.grants()).toHaveLength(2)
    expectNoSecretIn(home)
  })

  test('signing in again moves the secrets there and back, and leaves none behind', async () => {
    const shop = await tokenShop()
    const {home, service, env, account} = await signedIn(shop, 'file')
    const set = ['profile', 'set', 'shop', '--webhook-token-stdin']
    await runProcess(set, {env, stdin: WEBHOOK_TOKEN})
    expect(files(home)['credentials.json']).toContain(WEBHOOK_TOKEN)
    await login(shop, env, '--store', 'keyring')
    expectNoSecretIn(home)
    expect(kept(service)[account]).toMatchObject({webhookToken: WEBHOOK_TOKEN, token: {value: 'token-2'}})
    await login(shop, env)
    expectNoSecretIn(home)
    expect(kept(service)[account]).toMatchObject({token: {value: 'token-3'}})
    await login(shop, env, '--store', 'file')
    expect(kept(service)).toEqual({})
    expect(JSON.parse(files(home)['credentials.json'] ?? '').shop).toMatchObject({
      clientSecret: SECRET,
      webhookToken: WEBHOOK_TOKEN,
      token: {value: 'token-4'},
    })
  })

  test('signing out, another URL and removing the profile clear the entry', async () => {
    const shop = await tokenShop()
    const {service, env, account} = await signedIn(shop)
    expect((await runProcess(['logout', '--profile', 'shop'], {env})).stderr).toMatch(/^Signed out of shop/)
    expect(kept(service)).toEqual({[account]: {url: shop.url}})
    await login(shop, env)
    const elsewhere = 'https://elsewhere.example'
    expect((await runProcess(['profile', 'set', 'shop', '--url', elsewhere], {env})).exit).toBe(0)
    expect(kept(service)).toEqual({})
    await login(shop, env)
    expect(kept(service)).toHaveProperty([account])
    const other = await tokenShop()
    await login(other, env)
    expect(Object.keys(kept(service))).toEqual([account.replace(shop.url, other.url)])
    expect((await runProcess(['profile', 'remove', 'shop', '--yes'], {env})).exit).toBe(0)
    expect(kept(service)).toEqual({})
  })

  test('when it falls silent, commands end with 4 and the way out, which works', async () => {
    const shop = await tokenShop()
    const {home, service, env, account} = await signedIn(shop)
    service.fallSilent()
    const {exit, stderr} = await runProcess(['auth', 'token'], {env})
    expect([exit, stderr]).toEqual([
      4,
      `error: The secrets of "shop" are in the OS keyring, which is not available: it has not answered within 5 s.
  next: unlock the keyring and run the command again
  next: storectl login --profile shop --store file   # stores them in a file with mode 0600
`,
    ])
    const seen = await status(env)
    expect(seen).toMatchObject({exit: 4, of: {signedIn: false, store: 'keyring', storedIn: account}})
    const environment = {...env, STORECTL_TOKEN: 'given'}
    const given = await runProcess(['api', 'GET', '/api/x'], {env: environment})
    expect(given.exit).toBe(0)
    expect(given.stderr).toMatch(/^warning: .*Using the credentials of the environment\.\n$/)
    const looked = await runProcess(['doctor', '-o', 'ndjson'], {env})
    const finding = looked.stdout.split('\n').find(line => line.includes('"keyring"')) ?? ''
    expect(JSON.parse(finding)).toMatchObject({
      state: 'failed',
      fix: [expect.any(String), 'storectl login --profile shop --store file'],
    })
    const again = await login(shop, env, '--store', 'file')
    expect(again.exit).toBe(0)
    expect(again.stderr).toMatch(/warning: .* entry "shop .*" of storectl stays in it\./)
    expect(files(home)['credentials.json']).toContain(SECRET)
    expect((await runProcess(['auth', 'token'], {env})).exit).toBe(0)
  })

  test('a renewed token that cannot be kept costs a line, and the command goes on', async () => {
    let service: SecretService | undefined
    const grant = (_: unknown, count: number) => {
      if (count === 2) service?.fallSilent()
      return undefined
    }
    const shop = await tokenShop({grant})
    const signed = await signedIn(shop)
    service = signed.service
    expire(service, signed.account)
    const {exit, stdout, stderr} = await runProcess(['auth', 'token'], {env: signed.env})
    expect([exit, stdout]).toEqual([0, 'token-2\n'])
    expect(stderr).toMatch(/^warning: could not store the new token: .*\n$/)
  })
})
