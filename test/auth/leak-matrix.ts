import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {SECRET_VARIABLES} from '../../src/auth/credentials/secrets.js'
import {callInProcess, callProcess, EVERY_TOOL} from '../mcp/session.js'
import {canary, expectNowhere, filesBelow, plainCanary} from '../support/canaries.js'
import {temporaryFolder} from '../support/home.js'
import {manifest} from '../support/manifest.js'
import {postgresAddress} from '../support/postgres/database.js'
import {everyNth} from '../support/sized.js'
import {type CanaryHouse, COMMANDS, MOODS, type Mood, withEndedTokens} from './canary-house.js'

/** What the shop does with a call; stdout, stderr and every file of the home are looked at in each. */
interface Channel {
  /** `when the shop refuses (400)` */
  readonly name: string
  readonly mood?: Mood
  readonly tokenMood?: Mood
}

/** A secret by how it is given, and the channels that it is tried in. */
interface Row {
  readonly secret: string
  readonly channels: readonly Channel[]
  /** Runs commands that hold it. @param at place of the channel in the row */
  readonly expectSilence: (house: CanaryHouse, at: number) => Promise<void>
}

/** The shop answers so, and grants tokens. */
function answering(name: string): Channel {
  return {name: `when the shop ${name}`, mood: MOODS[name] as Mood}
}

/** The shop answers so when it is asked for a token. */
function atTheToken(name: string): Channel {
  return {name: `when, asked for a token, the shop ${name}`, tokenMood: MOODS[name] as Mood}
}

/** The shop answers so to every call. */
function always(name: string): Channel {
  return {...answering(name), tokenMood: MOODS[name] as Mood}
}

/** Where a shop tells what it was sent; elsewhere the fast tests try each command in every third mood. */
const TELLING = /repeats|wraps|gate|leads/

const KEPT: Row = {
  secret: 'what is kept',
  channels: Object.keys(MOODS).map(answering),
  expectSilence: async (house, at) => {
    const isTelling = TELLING.test(Object.keys(MOODS)[at] as string)
    // The doctor asks for the same things as the others, and takes as long as all of them.
    const some = isTelling ? COMMANDS : everyNth(3, COMMANDS.slice(0, -1), at)
    await house.expectSilence(house.isInProcess ? some : everyNth(2, COMMANDS, isTelling ? 0 : 1))
  },
}

const ENDED: Row = {
  secret: 'what is kept with tokens that have ended',
  channels: [
    'answers half of JSON',
    'refuses (401)',
    'fails (500)',
    'wraps what it says',
    'leads elsewhere, secrets in the address',
    'breaks the connection',
  ].map(atTheToken),
  expectSilence: async house => {
    const change = withEndedTokens
    await house.expectSilence([['auth', 'token']], {change})
    await house.expectSilence([['customer', 'search', 'ada']], {change, env: {STORECTL_PROFILE: 'user'}})
  },
}

/** Every flag that reads a secret, from standard input or from a file, with the command that has it. */
export const SECRET_FLAGS = Object.values(manifest.commands).flatMap(({id, flags}) =>
  Object.keys(flags)
    .filter(flag => /-(stdin|file)$/.test(flag) && flag !== 'ca-file')
    .map(flag => [id, flag] as const),
)

const FLAGS = SECRET_FLAGS.map(
  ([id, flag]): Row => ({
    secret: `what ${id} reads by --${flag}`,
    channels: [answering('repeats the request'), always('refuses (400)')],
    expectSilence: async house => {
      const secret = /^(header|webhook|basic)/.test(flag) ? plainCanary() : canary()
      const before = /^header/.test(flag) ? 'X-Gate: ' : /^basic/.test(flag) ? 'ada:' : ''
      const stdin = `${before}${secret}`
      const file = join(temporaryFolder(), 'secret')
      writeFileSync(file, stdin)
      const words = id === 'login' ? loginWords(flag) : ['shop']
      const given = flag.endsWith('-file') ? [`--${flag}`, file] : [`--${flag}`]
      const only = {[flag]: secret, ...house.granted}
      const options = {only, home: temporaryFolder(), env: {STORECTL_PROFILE: '', NODE_DEBUG: '*'}, stdin}
      await house.expectSilence([[...id.split(':'), ...words, '--url', house.url, ...given]], options)
      if (/^(client|password)/.test(flag)) expect(house.hasHeard(secret)).toBe(true)
    },
  }),
)

function loginWords(flag: string): string[] {
  return flag.startsWith('password') ? ['--username', 'ada'] : ['--client-id', 'SWIAX']
}

/** Those of a shop and a provider; what signs in at a database is sent to neither. */
const VARIABLES = SECRET_VARIABLES.filter(variable => variable !== 'PGPASSWORD').map(
  (variable): Row => ({
    secret: `what ${variable} holds`,
    channels: [answering('repeats the request'), always('refuses (400)'), always('refuses (401)')],
    expectSilence: async house => {
      const secret = variable.endsWith('TOKEN') ? plainCanary() : canary()
      const isProviders = variable === 'STORECTL_PROVIDER_CLIENT_SECRET'
      const home = temporaryFolder()
      const env = {
        STORECTL_PROFILE: '',
        STORECTL_URL: house.url,
        STORECTL_CLIENT_ID: 'SWIAX',
        STORECTL_USERNAME: 'ada',
        ...(variable === 'STORECTL_WEBHOOK_TOKEN' ? {STORECTL_TOKEN: 'another'} : {}),
        ...(isProviders ? {STORECTL_PROVIDER_URL: house.url, STORECTL_PROVIDER_CLIENT_ID: 'AX'} : {}),
        [variable]: secret,
      }
      const commands = [
        ...COMMANDS.slice(0, 3),
        ...(isProviders ? [['webhook', 'import', '--from-provider', '--since', '1h']] : []),
      ]
      await house.expectSilence(commands, {only: {[variable]: secret}, home, env})
      const basic = Buffer.from(`AX:${secret}`).toString('base64')
      expect(house.hasHeard(isProviders ? basic : secret)).toBe(true)
      expect(readdirSync(home)).not.toContain('credentials.json')
    },
  }),
)

const DATABASES = ['PGPASSWORD', 'STORECTL_DATABASE_URL', 'PGPASSFILE'].map(
  (way): Row => ({
    secret: `a password in ${way}`,
    channels: [{name: 'when the database refuses it'}],
    expectSilence: async house => {
      const secret = plainCanary()
      const address = new URL(await postgresAddress())
      address.password = way === 'STORECTL_DATABASE_URL' ? secret : ''
      const file = join(temporaryFolder(), 'pgpass')
      writeFileSync(file, `*:*:*:*:${secret}\n`, {mode: 0o600})
      const env: Record<string, string> = {
        ...{STORECTL_PROFILE: '', STORECTL_URL: 'http://127.0.0.1:9', STORECTL_DATABASE_URL: address.href},
        ...(way === 'PGPASSWORD' && {PGPASSWORD: secret}),
        ...(way === 'PGPASSFILE' && {PGPASSFILE: file}),
      }
      const commands = [
        ['run', 'list'],
        ...(house.isInProcess
          ? [
              ['database', 'status'],
              ['config', 'list'],
              ['webhook', 'list', '-o', 'json'],
            ]
          : []),
      ]
      const [list] = await house.expectSilence(commands, {
        only: {[way]: secret},
        home: temporaryFolder(),
        env,
      })
      expect(list?.stderr).toContain('refuses the sign-in')
    },
  }),
)

const MCP: Row = {
  secret: 'what is kept, in answers of storectl mcp,',
  channels: Object.keys(MOODS).map(answering),
  expectSilence: async house => {
    const home = house.copy()
    await house.run(['webhook', 'import', 'EVENT'], home)
    await house.run(['webhook', 'replay', '--yes', '--no-check-state', '--retries', '0'], home)
    const env = {STORECTL_HOME: home, STORECTL_PROFILE: 'shop', DEBUG: '*', NODE_DEBUG: '*'}
    const words = ['--debug', '--timeout', '5s']
    const answers = await (house.isInProcess ? callInProcess : callProcess)(env, words)
    expect(Object.keys(answers)).toHaveLength(EVERY_TOOL.length + 1)
    expectNowhere(house.secrets, {...answers, ...filesBelow(home)})
  },
}

type Cell = readonly [secret: string, channel: string, tryIt: (house: CanaryHouse) => Promise<void>]

function listCells(rows: readonly Row[], channels = /./): Cell[] {
  return rows.flatMap(({secret, channels: own, expectSilence}) =>
    own.flatMap(({name, mood, tokenMood}, at) => {
      const tryIt = async (house: CanaryHouse) => {
        Object.assign(house, {tokenMood, ...(mood && {mood})})
        await expectSilence(house, at)
      }
      return channels.test(name) ? [[secret, name, tryIt] as const] : []
    }),
  )
}

/** Each secret in each of its channels: what `leaks.test.ts` tries in one process. */
export const MATRIX = listCells([KEPT, MCP, ENDED, ...FLAGS, ...VARIABLES, ...DATABASES])

/** What `leaks.e2e.test.ts` tries with processes, which have more to tell than a command in a test. */
export const PROCESS_MATRIX = [
  ...listCells([KEPT, MCP], /repeats the request|breaks the connection/),
  ...everyNth(3, listCells(FLAGS, /400/)),
  ...everyNth(2, listCells(VARIABLES, /400/)),
  ...listCells(DATABASES),
]
