import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {SECRET_VARIABLES} from '../../../src/auth/credentials/secrets.js'
import {canary, expectNowhere, filesBelow, plainCanary} from '../../support/canaries.js'
import {captureCompleted} from '../../support/events.js'
import {temporaryFolder} from '../../support/home.js'
import {postgresAddress} from '../../support/postgres/database.js'
import {runProcess} from '../../support/process.js'
import {type TokenShop, tokenShop} from '../../support/shop-endpoint.js'

const manifest = JSON.parse(
  readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8'),
) as {
  commands: Record<string, {id: string; flags: Record<string, object>}>
}

/** Every flag that reads a secret, from standard input or from a file, with the command that has it. */
const CHANNELS = Object.values(manifest.commands).flatMap(({id, flags}) =>
  Object.keys(flags)
    .filter(flag => /-(stdin|file)$/.test(flag) && flag !== 'ca-file')
    .map(flag => [id, flag] as const),
)

/** A shop that refuses, and repeats the request and its headers while it does. */
function parrot(status: number): Promise<TokenShop> {
  const said = (what: unknown) => ({
    status,
    body: {errors: [{code: '0', status: String(status), title: 'x', detail: JSON.stringify(what)}]},
  })
  return tokenShop({
    grant: body => (status === 200 ? undefined : said(body)),
    answer: request => said(request),
  })
}

/** Everything that it was sent, with secrets as they are. */
function sentTo({received}: TokenShop): string {
  const bodies = received.map(({body}) => body.replaceAll('\\"', '"').replaceAll('\\\\', '\\'))
  return [
    ...bodies,
    ...received.flatMap(({url, headers}) => [decodeURIComponent(url), headers.authorization]),
  ].join(' ')
}

test.each(CHANNELS)('what %s reads by --%s comes out nowhere', async (id, flag) => {
  const secret = /^(header|webhook|basic)/.test(flag) ? plainCanary() : canary()
  const text = flag.startsWith('header')
    ? `X-Gate: ${secret}`
    : flag.startsWith('basic')
      ? `ada:${secret}`
      : secret
  const file = join(temporaryFolder(), 'secret')
  writeFileSync(file, text)
  for (const status of [200, 400]) {
    const shop = await parrot(status)
    const home = temporaryFolder()
    const words = id === 'login' ? loginWords(flag) : ['shop']
    const given = flag.endsWith('-file') ? [`--${flag}`, file] : [`--${flag}`]
    const argv = [...id.split(':'), ...words, '--url', shop.url, ...given, '--debug']
    const env = {STORECTL_HOME: home, DEBUG: '*', NODE_DEBUG: '*'}
    const {stdout, stderr} = await runProcess(argv, {env, stdin: text})
    expectNowhere({[flag]: secret}, {stdout, stderr, ...filesBelow(home)})
    if (/^(client|password)/.test(flag)) expect(sentTo(shop)).toContain(secret)
  }
})

function loginWords(flag: string): string[] {
  return flag.startsWith('password') ? ['--username', 'ada'] : ['--client-id', 'SWIAX']
}

/** Those of a shop and a provider; what signs in at a database is never sent to either. */
const OF_SHOPS = SECRET_VARIABLES.filter(variable => variable !== 'PGPASSWORD')

test.each(OF_SHOPS)('what %s holds comes out nowhere', async variable => {
  const secret = variable.endsWith('TOKEN') ? plainCanary() : canary()
  const isProviders = variable === 'STORECTL_PROVIDER_CLIENT_SECRET'
  const event = join(temporaryFolder(), 'event.json')
  writeFileSync(event, captureCompleted().body)
  for (const status of [200, 400, 401]) {
    const shop = await parrot(status)
    const home = temporaryFolder()
    const env = {
      STORECTL_HOME: home,
      STORECTL_URL: shop.url,
      STORECTL_CLIENT_ID: 'SWIAX',
      STORECTL_USERNAME: 'ada',
      DEBUG: '*',
      ...(variable === 'STORECTL_WEBHOOK_TOKEN' ? {STORECTL_TOKEN: 'another'} : {}),
      ...(isProviders ? {STORECTL_PROVIDER_URL: shop.url, STORECTL_PROVIDER_CLIENT_ID: 'AX'} : {}),
      [variable]: secret,
    }
    for (const argv of [
      ['auth', 'status', '--check'],
      ['customer', 'search', 'ada', '--limit', '1'],
      ['webhook', 'replay', event, '--yes', '--retries', '0', '--verify', 'none'],
      ...(isProviders ? [['webhook', 'import', '--from-provider', '--since', '1h']] : []),
    ]) {
      const {stdout, stderr} = await runProcess([...argv, '--debug'], {env})
      expectNowhere({[variable]: secret}, {stdout, stderr, ...filesBelow(home)})
    }
    const basic = Buffer.from(`AX:${secret}`).toString('base64')
    expect(sentTo(shop)).toContain(isProviders ? basic : secret)
    expect(readdirSync(home)).not.toContain('credentials.json')
  }
})

test.each(['PGPASSWORD', 'STORECTL_DATABASE_URL', 'PGPASSFILE'])(
  'a password in %s comes out nowhere',
  async way => {
    const secret = plainCanary()
    const home = temporaryFolder()
    const address = new URL(await postgresAddress())
    address.password = way === 'STORECTL_DATABASE_URL' ? secret : ''
    const file = join(temporaryFolder(), 'pgpass')
    writeFileSync(file, `*:*:*:*:${secret}\n`, {mode: 0o600})
    const env = {
      ...{STORECTL_HOME: home, STORECTL_URL: 'http://127.0.0.1:9', STORECTL_DATABASE_URL: address.href},
      ...{
        DEBUG: '*',
        ...(way === 'PGPASSWORD' && {PGPASSWORD: secret}),
        ...(way === 'PGPASSFILE' && {PGPASSFILE: file}),
      },
    }
    for (const argv of [
      ['run', 'list'],
      ['database', 'status'],
      ['config', 'list'],
      ['webhook', 'list', '-o', 'json'],
    ]) {
      const {stdout, stderr} = await runProcess([...argv, '--debug'], {env})
      expectNowhere({[way]: secret}, {stdout, stderr, ...filesBelow(home)})
      if (argv[0] === 'run') expect(stderr).toContain('refuses the sign-in')
    }
  },
)

test('no secret channel is missing here', () => {
  expect(CHANNELS.map(([id, flag]) => `${id} --${flag}`)).toEqual([
    'login --client-secret-stdin',
    'login --client-secret-file',
    'login --password-stdin',
    'login --password-file',
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
