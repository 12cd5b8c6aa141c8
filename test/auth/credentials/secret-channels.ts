import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {SECRET_VARIABLES} from '../../../src/auth/credentials/secrets.js'
import {canary, expectNowhere, filesBelow, plainCanary} from '../../support/canaries.js'
import {timeAgo} from '../../support/clock.js'
import {captureCompleted} from '../../support/events.js'
import {temporaryFolder} from '../../support/home.js'
import {postgresAddress} from '../../support/postgres/database.js'
import {type TokenShop, tokenShop} from '../../support/shop-endpoint.js'
import type {Ended} from '../../support/storectl.js'

const manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../oclif.manifest.json'), 'utf8'),
) as {
  commands: Record<string, {id: string; flags: Record<string, object>}>
}

/** Every flag that reads a secret, from standard input or from a file, with the command that has it. */
export const CHANNELS = Object.values(manifest.commands).flatMap(({id, flags}) =>
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

/** Runs a command with that environment and no other. */
export type Runner = (
  argv: readonly string[],
  options: {readonly env: Record<string, string>; readonly stdin?: string},
) => Promise<Ended>

/** Gives a secret by a flag to a shop that answers so, and looks for it in all that comes of it. */
export async function expectFlagKept(
  run: Runner,
  [id, flag]: readonly [string, string],
  status: number,
): Promise<void> {
  const secret = /^(header|webhook|basic)/.test(flag) ? plainCanary() : canary()
  const text = flag.startsWith('header')
    ? `X-Gate: ${secret}`
    : flag.startsWith('basic')
      ? `ada:${secret}`
      : secret
  const file = join(temporaryFolder(), 'secret')
  writeFileSync(file, text)
  const shop = await parrot(status)
  const home = temporaryFolder()
  const words = id === 'login' ? loginWords(flag) : ['shop']
  const given = flag.endsWith('-file') ? [`--${flag}`, file] : [`--${flag}`]
  const argv = [...id.split(':'), ...words, '--url', shop.url, ...given, '--debug']
  const env = {STORECTL_HOME: home, DEBUG: '*', NODE_DEBUG: '*'}
  const {stdout, stderr} = await run(argv, {env, stdin: text})
  expectNowhere({[flag]: secret}, {stdout, stderr, ...filesBelow(home)})
  if (/^(client|password)/.test(flag)) expect(sentTo(shop)).toContain(secret)
}

function loginWords(flag: string): string[] {
  return flag.startsWith('password') ? ['--username', 'ada'] : ['--client-id', 'SWIAX']
}

/** Those of a shop and a provider; what signs in at a database is never sent to either. */
export const OF_SHOPS = SECRET_VARIABLES.filter(variable => variable !== 'PGPASSWORD')

/** Gives a secret by a variable to a shop that answers so, and looks for it in all that comes of it. */
export async function expectVariableKept(run: Runner, variable: string, status: number): Promise<void> {
  const secret = variable.endsWith('TOKEN') ? plainCanary() : canary()
  const isProviders = variable === 'STORECTL_PROVIDER_CLIENT_SECRET'
  const event = join(temporaryFolder(), 'event.json')
  writeFileSync(event, captureCompleted({createTime: timeAgo(60_000)}).body)
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
    ['webhook', 'replay', event, '--yes', '--retries', '0', '--no-check-state', '--include-unverified'],
    ...(isProviders ? [['webhook', 'import', '--from-provider', '--since', '1h']] : []),
  ]) {
    const {stdout, stderr} = await run([...argv, '--debug'], {env})
    expectNowhere({[variable]: secret}, {stdout, stderr, ...filesBelow(home)})
  }
  const basic = Buffer.from(`AX:${secret}`).toString('base64')
  expect(sentTo(shop)).toContain(isProviders ? basic : secret)
  expect(readdirSync(home)).not.toContain('credentials.json')
}

/** In which a database's password can be given. */
export const DATABASE_WAYS = ['PGPASSWORD', 'STORECTL_DATABASE_URL', 'PGPASSFILE']

/** Gives a wrong password of a database, and looks for it in all that comes of it. */
export async function expectPasswordKept(
  run: Runner,
  way: string,
  commands: readonly (readonly string[])[],
): Promise<void> {
  const secret = plainCanary()
  const home = temporaryFolder()
  const address = new URL(await postgresAddress())
  address.password = way === 'STORECTL_DATABASE_URL' ? secret : ''
  const file = join(temporaryFolder(), 'pgpass')
  writeFileSync(file, `*:*:*:*:${secret}\n`, {mode: 0o600})
  const env: Record<string, string> = {
    ...{STORECTL_HOME: home, STORECTL_URL: 'http://127.0.0.1:9', STORECTL_DATABASE_URL: address.href},
    ...{
      DEBUG: '*',
      ...(way === 'PGPASSWORD' && {PGPASSWORD: secret}),
      ...(way === 'PGPASSFILE' && {PGPASSFILE: file}),
    },
  }
  for (const argv of commands) {
    const {stdout, stderr} = await run([...argv, '--debug'], {env})
    expectNowhere({[way]: secret}, {stdout, stderr, ...filesBelow(home)})
    if (argv[0] === 'run') expect(stderr).toContain('refuses the sign-in')
  }
}
