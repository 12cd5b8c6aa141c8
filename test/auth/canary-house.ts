import {cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Duplex} from 'node:stream'
import {expect} from 'vitest'
import {canary, expectNowhere, filesBelow, plainCanary, textsIn} from '../support/canaries.js'
import {timeAgo} from '../support/clock.js'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {listen} from '../support/listen.js'
import type {Ended} from '../support/storectl.js'

/** What the shop does; `token` is about the route that grants tokens, and all others grant there. */
export type Mood = (said: string, request: IncomingMessage, response: ServerResponse) => void

export const json = (status: number, body: string, headers: Record<string, string> = {}) =>
  ((said, _request, response) => {
    const type = {'content-type': 'application/json', 'set-cookie': `sid=${said.slice(0, 20)}`}
    response
      .writeHead(status, {...type, ...headers})
      .end(body.replace('SAID', () => JSON.stringify(said).slice(1, -1)))
  }) satisfies Mood

/** What a shop says that all is well with. */
export const HEALTHY = json(200, '{"version":"6.7.0.0"}')

const errors = (status: number, code = '0') =>
  json(status, `{"errors":[{"code":"${code}","status":"${status}","title":"x","detail":"SAID"}]}`)

export const MOODS: Readonly<Record<string, Mood>> = {
  'repeats the request': json(200, '{"total":1,"data":[{"id":"1","note":"SAID"}]}'),
  'answers half of JSON': json(200, '{"total":1,"data":[{"id":"SAID'),
  'refuses (400)': errors(400, 'FRAMEWORK__X'),
  'refuses (401)': errors(401, '9'),
  'refuses (403)': errors(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR'),
  'is throttled (429)': errors(429),
  'fails (500)': errors(500),
  'has a gate that shows the request': (said, _request, response) =>
    response.writeHead(403, {'content-type': 'text/html'}).end(`<h1>Forbidden</h1><pre>${said}</pre>`),
  'wraps what it says': (said, _request, response) =>
    response
      .writeHead(400, {'content-type': 'application/json'})
      .end(
        JSON.stringify({errors: [{code: 'X', status: '400', detail: said.replace(/.{60}/g, '$&\n    ')}]}),
      ),
  'leads elsewhere, secrets in the address': (said, _request, response) =>
    response.writeHead(307, {location: `/login/${encodeURIComponent(said).slice(0, 3000)}`}).end(),
  'breaks the connection': (_said, request) => request.socket.destroy(),
  'does not speak HTTP': (said, request) => request.socket.end(`SSH-2.0 ${said.replace(/\s/g, '')}\r\n`),
}

export const COMMANDS: readonly (readonly string[])[] = [
  ['auth', 'status', '--check'],
  ['customer', 'search', 'ada', '--limit', '1'],
  [
    ...['webhook', 'replay', 'EVENT', '--yes', '--retries', '0', '--no-check-state', '--max-age', 'none'],
    ...['--grace-period', '0', '--include-unverified'],
  ],
  ['order', 'submit', 'ORDERS', '--yes', '--retries', '0', '--grace-period', '0'],
  ['api', 'PUT', '/api/thing?sw-token=x', '-f', 'a=b'],
  ['doctor'],
]

/** Runs a command in a working folder, with that environment and no other, and that on standard input. */
export type Runner = (
  argv: readonly string[],
  env: Record<string, string>,
  folder: string,
  stdin?: string,
) => Promise<Ended>

interface SilenceOptions {
  readonly env?: Record<string, string>
  readonly stdin?: string
  readonly change?: (text: string) => string
  /** Secrets that are looked for besides the house's. */
  readonly more?: Record<string, string>
  /** Secrets that are looked for instead of the house's. */
  readonly only?: Record<string, string>
  /** Where all commands run, one after the other, in place of a copy each. */
  readonly home?: string
}

/** A home in which every place that can hold a secret holds a canary, and a shop that repeats what it hears. */
export interface CanaryHouse {
  readonly url: string
  /** Whether commands run in the test's own process. */
  readonly isInProcess: boolean
  /** For files that commands are given. */
  readonly work: string
  /** Every canary, by the place in `credentials.json` or by what it is. */
  readonly secrets: Readonly<Record<string, string>>
  readonly granted: {readonly access: string; readonly refresh: string}
  readonly header: string
  mood: Mood
  /** About the route that grants tokens, where it does not grant. */
  tokenMood: Mood | undefined
  /** How often the shop was called. */
  readonly calls: number
  /** Whether the shop was sent a text. */
  hasHeard(text: string): boolean
  /** A copy of the home, so that one run does not decide what the next one does. */
  copy(change?: (text: string) => string): string
  run(argv: readonly string[], copy: string, env?: Record<string, string>, stdin?: string): Promise<Ended>
  /** Runs commands side by side, each in a home of its own, and looks for the canaries in all that comes of it. */
  expectSilence(commands: readonly (readonly string[])[], options?: SilenceOptions): Promise<Ended[]>
  close(): void
}

/** Signs in by the commands themselves, so that a new thing they keep is a canary here without anybody's doing. */
export async function canaryHouse(runner: Runner, isInProcess: boolean): Promise<CanaryHouse> {
  const granted = {access: plainCanary(), refresh: plainCanary()}
  const given = {
    header: plainCanary(),
    password: canary(),
    webhook: plainCanary(),
    client: canary(),
    provider: canary(),
  }
  const shop = await listeningShop(granted)
  const home = mkdtempSync(join(tmpdir(), 'storectl-house-'))
  const work = workFolder()
  const run: CanaryHouse['run'] = (argv, copy, env = {}, stdin) => {
    const words = argv.map(word => (/^[A-Z]{5,}$/.test(word) ? join(work, word) : word))
    const whole = {STORECTL_HOME: copy, STORECTL_PROFILE: 'shop', TMPDIR: copy, DEBUG: '*', ...env}
    return runner([...words, '--debug', '--timeout', '5s'], whole, copy, stdin)
  }
  const copy = (change = (text: string) => text) => {
    const folder = temporaryFolder()
    cpSync(home, folder, {recursive: true})
    const file = join(folder, 'credentials.json')
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    return folder
  }
  await signIn(runner, {home, work, url: shop.url, given})
  await keepCompiledCode(run, {home, work, given})
  const secrets = {...keptSecrets(home), ...given, ...granted}
  return Object.assign(shop, {
    isInProcess,
    work,
    secrets,
    granted,
    header: given.header,
    copy,
    run,
    hasHeard: (text: string) => shop.heard.replaceAll('\\"', '"').replaceAll('\\\\', '\\').includes(text),
    expectSilence: async (
      commands: readonly (readonly string[])[],
      {change, env, stdin, more, only = secrets, home: shared}: SilenceOptions = {},
    ) => {
      const expectOne = async (argv: readonly string[]) => {
        const folder = shared ?? copy(change)
        const ended = await run(argv, folder, env, stdin)
        // What a shop answers to any other call is the person's, byte for byte.
        const shown = argv[0] === 'api' ? ended.stderr : `${ended.stdout}${ended.stderr}`
        expectNowhere({...only, ...more}, {[argv.join(' ')]: shown, ...filesBelow(folder)})
        return ended
      }
      if (shared === undefined) return Promise.all(commands.map(expectOne))
      const ends: Ended[] = []
      for (const argv of commands) ends.push(await expectOne(argv))
      return ends
    },
    close: () => {
      for (const folder of [home, work]) rmSync(folder, {recursive: true, force: true})
      shop.stop()
    },
  })
}

/** A proxy that refuses, and repeats what it was asked for. */
function refuseTunnel(request: IncomingMessage, socket: Duplex) {
  socket.end(`HTTP/1.1 407 ${JSON.stringify(request.headers)}\r\ncontent-length: 0\r\n\r\n`)
}

async function listeningShop(granted: CanaryHouse['granted']) {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString('utf8')
    shop.heard += `${decodeURIComponent(request.url ?? '')} ${JSON.stringify(request.headers)} ${body}`
    const said = `${request.url} ${JSON.stringify(request.headers)} ${body} ${Buffer.from(body).toString('base64')}`
    shop.calls++
    if (!request.url?.endsWith('/api/oauth/token')) return shop.mood(said, request, response)
    if (shop.tokenMood) return shop.tokenMood(said, request, response)
    const token = {
      token_type: 'Bearer',
      expires_in: 600,
      access_token: granted.access,
      refresh_token: granted.refresh,
    }
    response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(token))
  })
  const shop = {
    url: '',
    calls: 0,
    heard: '',
    mood: HEALTHY as Mood,
    tokenMood: undefined as Mood | undefined,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  server.on('connect', refuseTunnel)
  const port = await listen(server)
  shop.url = `http://127.0.0.1:${port}`
  return shop
}

/** A folder with an event and orders to send. */
function workFolder(): string {
  const work = mkdtempSync(join(tmpdir(), 'storectl-work-'))
  writeFileSync(join(work, 'EVENT'), captureCompleted({createTime: timeAgo(60_000)}).body)
  const shipTo = {name: 'Ada', street: '1 Row', city: 'Leipzig', postalCode: '04109', country: 'DE'}
  const orders = [{reference: 'A1', lines: [{sku: 'S', quantity: 1}], shipTo}]
  writeFileSync(join(work, 'ORDERS'), JSON.stringify(orders))
  return work
}

interface Signing {
  readonly home: string
  readonly work: string
  readonly url: string
  readonly given: Readonly<Record<'header' | 'password' | 'webhook' | 'client' | 'provider', string>>
}

async function signIn(runner: Runner, {home, work, url, given}: Signing): Promise<void> {
  const keep = async (argv: readonly string[], files: Readonly<Record<string, string>>) => {
    const flags = Object.entries(files).flatMap(([flag, secret]) => {
      writeFileSync(join(work, flag), secret)
      return [`--${flag}-file`, join(work, flag)]
    })
    const {exit, stderr} = await runner([...argv, ...flags], {STORECTL_HOME: home}, work)
    expect({exit, stderr: exit === 0 ? '' : stderr}).toEqual({exit: 0, stderr: ''})
  }
  await keep(['login', '--profile', 'shop', '--url', url, '--client-id', 'SWIAX'], {
    'client-secret': given.client,
    'webhook-token': given.webhook,
  })
  await keep(['login', '--profile', 'user', '--url', `${url}/de`, '--username', 'ada'], {
    password: given.password,
  })
  const basic = Buffer.from(`ada:${given.header}`).toString('base64')
  await keep(['profile', 'set', 'shop'], {header: `X-Gate: ${given.header}\nX-Basic: Basic ${basic}`})
  await keep(['profile', 'set', 'shop', '--provider-url', 'https://provider.example'], {
    'provider-client-secret': given.provider,
  })
}

/** Processes keep compiled code at the first run of each command, which would cost every copy of the home a second. */
async function keepCompiledCode(
  run: CanaryHouse['run'],
  {home, work, given}: Omit<Signing, 'url'>,
): Promise<void> {
  const warm = join(work, 'warm')
  cpSync(home, warm, {recursive: true})
  for (const argv of COMMANDS) await run(argv, warm)
  if (!existsSync(join(warm, 'cache'))) return
  expectNowhere(given, filesBelow(join(warm, 'cache')))
  cpSync(join(warm, 'cache'), join(home, 'cache'), {recursive: true})
}

/** What the home keeps that is secret, by its place. */
function keptSecrets(home: string): Record<string, string> {
  const kept = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))
  const places = Object.entries(textsIn(kept)).filter(
    ([path]) => !/\/(url|expiresAt|obtainedAt|grant)$/.test(path),
  )
  return Object.fromEntries(places)
}

/** Credentials whose access tokens have ended. */
export const withEndedTokens = (text: string) =>
  text.replace(/("expiresAt": ")[^"]+/g, '$12020-01-01T00:00:00.000Z')
