import {execFile} from 'node:child_process'
import {generateKeyPairSync} from 'node:crypto'
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Duplex} from 'node:stream'
import {promisify} from 'node:util'
import {gunzipSync} from 'node:zlib'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {SECRET_VARIABLES} from '../../src/auth/credentials/secrets.js'
import {canary, expectNowhere, filesBelow, plainCanary, textsIn} from '../support/canaries.js'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {runProcess, startProcess} from '../support/process.js'

/** A home in which every place that can hold a secret holds a canary, and a shop that repeats what it hears. */

/** What the shop does; `token` is about the route that grants tokens, and all others grant there. */
type Mood = (said: string, request: IncomingMessage, response: ServerResponse) => void

const json = (status: number, body: string, headers: Record<string, string> = {}) =>
  ((said, _request, response) => {
    const type = {'content-type': 'application/json', 'set-cookie': `sid=${said.slice(0, 20)}`}
    response
      .writeHead(status, {...type, ...headers})
      .end(body.replace('SAID', () => JSON.stringify(said).slice(1, -1)))
  }) satisfies Mood

const errors = (status: number, code = '0') =>
  json(status, `{"errors":[{"code":"${code}","status":"${status}","title":"x","detail":"SAID"}]}`)

const MOODS: Readonly<Record<string, Mood>> = {
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

const COMMANDS: readonly (readonly string[])[] = [
  ['auth', 'status', '--check'],
  ['customer', 'search', 'ada', '--limit', '1'],
  ['webhook', 'replay', 'EVENT', '--yes', '--retries', '0', '--verify', 'none', '--max-age', 'none'],
  ['order', 'submit', 'ORDERS', '--yes', '--retries', '0'],
  ['api', 'PUT', '/api/thing?sw-token=x', '-f', 'a=b'],
  ['doctor'],
]

let calls = 0
let heard = ''
let mood: Mood = errors(400)
let tokenMood: Mood | undefined
let home = ''
let work = ''
let url = ''
let secrets: Record<string, string> = {}
const granted = {access: plainCanary(), refresh: plainCanary()}
const given = {
  header: plainCanary(),
  password: canary(),
  webhook: plainCanary(),
  client: canary(),
  provider: canary(),
}

/** A proxy that refuses, and repeats what it was asked for. */
const refuseTunnel = (request: IncomingMessage, socket: Duplex) =>
  socket.end(`HTTP/1.1 407 ${JSON.stringify(request.headers)}\r\ncontent-length: 0\r\n\r\n`)

const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = Buffer.concat(parts).toString('utf8')
  heard += `${decodeURIComponent(request.url ?? '')} ${JSON.stringify(request.headers)} ${body}`
  const said = `${request.url} ${JSON.stringify(request.headers)} ${body} ${Buffer.from(body).toString('base64')}`
  calls++
  if (!request.url?.endsWith('/api/oauth/token')) return mood(said, request, response)
  if (tokenMood) return tokenMood(said, request, response)
  const token = {
    token_type: 'Bearer',
    expires_in: 600,
    access_token: granted.access,
    refresh_token: granted.refresh,
  }
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(token))
})

/** Signs in by the commands themselves, so that a new thing they keep is a canary here without anybody's doing. */
beforeAll(async () => {
  server.on('connect', refuseTunnel)
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  home = mkdtempSync(join(tmpdir(), 'storectl-house-'))
  work = mkdtempSync(join(tmpdir(), 'storectl-work-'))
  writeFileSync(join(work, 'EVENT'), captureCompleted().body)
  const shipTo = {name: 'Ada', street: '1 Row', city: 'Leipzig', postalCode: '04109', country: 'DE'}
  writeFileSync(
    join(work, 'ORDERS'),
    JSON.stringify([{reference: 'A1', lines: [{sku: 'S', quantity: 1}], shipTo}]),
  )
  mood = json(200, '{"version":"6.7.0.0"}')
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
  // Compiled code is kept at the first run of each command, and would cost every house a second.
  const warm = join(work, 'warm')
  cpSync(home, warm, {recursive: true})
  for (const argv of COMMANDS) await run(argv, warm)
  expectNowhere(given, filesBelow(join(warm, 'cache')))
  cpSync(join(warm, 'cache'), join(home, 'cache'), {recursive: true})
  const kept = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))
  const places = Object.entries(textsIn(kept)).filter(
    ([path]) => !/\/(url|expiresAt|obtainedAt|grant)$/.test(path),
  )
  secrets = {...Object.fromEntries(places), ...given, ...granted}
})

afterAll(() => {
  for (const folder of [home, work]) rmSync(folder, {recursive: true, force: true})
  server.closeAllConnections()
  server.close()
})

async function keep(argv: readonly string[], files: Readonly<Record<string, string>>): Promise<void> {
  const flags = Object.entries(files).flatMap(([flag, secret]) => {
    writeFileSync(join(work, flag), secret)
    return [`--${flag}-file`, join(work, flag)]
  })
  const {exit, stderr} = await runProcess([...argv, ...flags], {env: {STORECTL_HOME: home}})
  expect({exit, stderr: exit === 0 ? '' : stderr}).toEqual({exit: 0, stderr: ''})
}

/** A copy of the home, so that one run does not decide what the next one does. */
function house(change = (text: string) => text): string {
  const copy = temporaryFolder()
  cpSync(home, copy, {recursive: true})
  const file = join(copy, 'credentials.json')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  return copy
}

async function run(argv: readonly string[], copy: string, env: Record<string, string> = {}) {
  const words = argv.map(word => (/^[A-Z]{5,}$/.test(word) ? join(work, word) : word))
  const given = {STORECTL_HOME: copy, STORECTL_PROFILE: 'shop', TMPDIR: copy, DEBUG: '*', ...env}
  return runProcess([...words, '--debug', '--timeout', '5s'], {env: given, cwd: copy})
}

/** Runs commands side by side, each in a house of its own, and looks for the canaries in all that comes of it. */
async function expectSilence(
  commands: readonly (readonly string[])[],
  options: {
    env?: Record<string, string>
    change?: (text: string) => string
    more?: Record<string, string>
  } = {},
): Promise<void> {
  await Promise.all(
    commands.map(async argv => {
      const copy = house(options.change)
      const {stdout, stderr} = await run(argv, copy, options.env)
      // What a shop answers to any other call is the person's, byte for byte.
      const shown = argv[0] === 'api' ? stderr : `${stdout}${stderr}`
      const texts = {[argv.join(' ')]: shown, ...filesBelow(copy)}
      expectNowhere({...secrets, ...options.more}, texts)
    }),
  )
}

test('the canaries are everything that is kept', () => {
  const names = Object.keys(secrets).filter(name => name.startsWith('/'))
  expect(names.sort()).toEqual([
    '/shop/clientSecret',
    '/shop/headers/X-Basic',
    '/shop/headers/X-Gate',
    '/shop/providerSecret/value',
    '/shop/token/refreshToken',
    '/shop/token/value',
    '/shop/webhookToken',
    '/user/token/refreshToken',
    '/user/token/value',
  ])
})

test.each(Object.keys(MOODS))('what is kept comes out nowhere when the shop %s', async name => {
  mood = MOODS[name] as Mood
  // The doctor asks for the same things as the others, and takes as long as all of them.
  await expectSilence(/repeats|wraps|gate/.test(name) ? COMMANDS : COMMANDS.slice(0, -1))
})

const ended = (text: string) => text.replace(/("expiresAt": ")[^"]+/g, '$12020-01-01T00:00:00.000Z')

const AT_THE_TOKEN = [
  'answers half of JSON',
  'refuses (401)',
  'fails (500)',
  'wraps what it says',
  'leads elsewhere, secrets in the address',
  'breaks the connection',
]

test.each(AT_THE_TOKEN)('what is kept comes out nowhere when, asked for a token, the shop %s', async name => {
  tokenMood = MOODS[name] as Mood
  await expectSilence([['auth', 'token']], {change: ended})
  await expectSilence([['customer', 'search', 'ada']], {change: ended, env: {STORECTL_PROFILE: 'user'}})
  tokenMood = undefined
})

test('what is kept comes out nowhere when Node is asked to tell all that it does', async () => {
  mood = MOODS['refuses (400)'] as Mood
  const env = {NODE_DEBUG: '*', NODE_DEBUG_NATIVE: '*'}
  await expectSilence([...COMMANDS, ['auth', 'status', '-o', 'json']], {env, change: ended})
})

test('what stands in the addresses of proxies and shops comes out nowhere', async () => {
  const more = {proxy: canary()}
  const address = url.replace('//', `//ada:${encodeURIComponent(more.proxy)}@`)
  await expectSilence(COMMANDS, {env: {HTTP_PROXY: address, https_proxy: address}, more})
  const asked = [['auth', 'status', '--check'], ['config', 'list', '--show-origin'], ['doctor'], ['logout']]
  await expectSilence(asked, {env: {STORECTL_URL: address}, more})
  await expectSilence([['auth', 'status', '--check', '--url', address]], {more})
})

test('what is kept comes out nowhere of what only looks', async () => {
  mood = json(200, '{"version":"6.7.0.0"}')
  await expectSilence([
    ['auth', 'status', '-o', 'json'],
    ['profile', 'list', '-o', 'json'],
    ['profile', 'show', 'shop', '-o', 'json'],
    ['config', 'list', '--show-origin'],
    ['profile', 'set', 'shop', '--url', 'https://other.example'],
    ['logout', '--all'],
  ])
  const {stdout, stderr} = await run(['auth', 'token'], house())
  expect(stdout).toBe(`${granted.access}\n`)
  expectNowhere(secrets, {stderr})
})

test('a secret in what nothing has caught is taken out of the last line too', async () => {
  const file = join(work, 'crash.cjs')
  writeFileSync(file, "setTimeout(() => { throw new Error('crash ' + process.env.STORECTL_TOKEN) }, 1500)")
  mood = () => undefined
  const env = {NODE_OPTIONS: `--require ${file}`, STORECTL_TOKEN: plainCanary(), STORECTL_URL: url}
  const {exit, stderr} = await run(['customer', 'search', 'ada'], house(), env)
  expect(exit).toBe(1)
  expect(stderr).toContain('error: crash ***\n')
  expectNowhere({token: env.STORECTL_TOKEN}, {stderr})
})

test.skipIf(process.platform !== 'linux')('no process shows a secret while a command runs', async () => {
  mood = () => undefined
  const secret = canary()
  const env = {STORECTL_HOME: house(), STORECTL_PROFILE: 'shop'}
  const runs = [
    startProcess(['customer', 'search', 'ada'], {env}),
    startProcess(['login', '--url', `${url}/us`, '--client-id', 'SWIAX', '--client-secret-stdin'], {env}),
    startProcess(['login', '--url', `${url}/us`, '--client-id', 'SWIAX', '--store', 'keyring'], {
      env: {...env, STORECTL_CLIENT_SECRET: secret},
    }),
  ]
  runs[1]?.stdin?.write(secret)
  runs[1]?.stdin?.end()
  const begun = calls
  while (calls < begun + 3) await new Promise(resolve => setTimeout(resolve, 20))
  const shown = Object.fromEntries(runs.flatMap(({pid = 0}) => seenIn(pid)))
  for (const run of runs) run.kill('SIGKILL')
  expect(Object.keys(shown)).toHaveLength(3)
  expectNowhere({...secrets, secret}, shown)
})

/** The words of a process and its children as anybody sees them, and the environment that it gave to its children. */
function seenIn(pid: number, isChild = false): [string, string][] {
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
  const children = read(`task/${pid}/children`).split(' ').filter(Boolean)
  const own = `${read('cmdline')}${isChild ? read('environ') : ''}`
  return [[`process ${pid}`, own], ...children.flatMap(each => seenIn(Number(each), true))]
}

test('a build in an environment full of secrets holds none of them', async () => {
  const folder = temporaryFolder()
  const root = new URL('../..', import.meta.url).pathname
  const tree = ['bin', 'src', 'package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'oclif.manifest.json']
  for (const name of tree) cpSync(join(root, name), join(folder, name), {recursive: true})
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const held = Object.fromEntries(SECRET_VARIABLES.map(variable => [variable, canary()]))
  const env = {...process.env, ...held, HTTPS_PROXY: `http://ada:${given.header}@127.0.0.1:1`}
  const run = promisify(execFile)
  await run(process.execPath, ['bin/build.js'], {cwd: folder, env})
  await run('npm', ['pack', '--ignore-scripts', '--offline'], {cwd: folder, env})
  const [tarball = ''] = readdirSync(folder).filter(name => name.endsWith('.tgz'))
  const packed = gunzipSync(readFileSync(join(folder, tarball))).toString('utf8')
  expect(packed).toContain('dist/start.cjs')
  const manifest = readFileSync(join(folder, 'oclif.manifest.json'), 'utf8')
  expectNowhere({...held, proxy: given.header}, {packed, manifest})
})

test.each([302, 307])('nothing follows a redirect (%i), to whatever address', async status => {
  const reached: string[] = []
  const other = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.end('{}')
  })
  await new Promise<void>(resolve => {
    other.listen(0, '127.0.0.1', resolve)
  })
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/caught`
  const leading =
    (to: string): Mood =>
    (_said, request, response) => {
      reached.push(...(request.url?.includes('caught') ? ['itself'] : []))
      response.writeHead(status, {location: to}).end()
    }
  // What a caller does with every status is a test of its own, in test/http.
  mood = leading(status === 302 ? elsewhere : '/caught')
  const ends = await Promise.all([...COMMANDS, ['api', 'GET', '/api/x']].map(argv => run(argv, house())))
  expect(ends.map(({exit}) => exit)).not.toContain(0)
  tokenMood = mood
  expect((await run(['auth', 'token'], house(ended))).exit).toBe(2)
  tokenMood = undefined
  other.close()
  expect(reached).toEqual([])
})

test('a profile that gets another URL takes nothing of the old one there', async () => {
  mood = json(200, '{"version":"6.7.0.0"}')
  const copy = house()
  const there: string[] = []
  const other = createServer((request, response) => {
    there.push(`${request.url} ${JSON.stringify(request.headers)}`)
    response.end('{}')
  })
  await new Promise<void>(resolve => {
    other.listen(0, '127.0.0.1', resolve)
  })
  const moved = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  expect((await run(['auth', 'status', '--check', '--url', moved, '--profile', 'shop'], copy)).exit).toBe(4)
  await run(['profile', 'set', 'shop', '--url', moved], copy)
  for (const argv of COMMANDS) await run(argv, copy)
  other.close()
  expectNowhere(secrets, {
    there: there.join('\n'),
    kept: readFileSync(join(copy, 'credentials.json'), 'utf8').replace(/"user"[\s\S]*/, ''),
  })
})

test('the shop itself has heard every secret that is for it', () => {
  const sent = heard.replaceAll('\\"', '"').replaceAll('\\\\', '\\')
  for (const [name, secret] of Object.entries(secrets)) {
    const isAnothers = /provider/.test(name)
    expect([name, sent.includes(secret)]).toEqual([name, !isAnothers])
  }
})

test('what the bundled shop keeps, the key of a certificate and a token that TLS keeps from going out come out nowhere', async () => {
  const copy = temporaryFolder()
  const local = {STORECTL_PROFILE: 'local'}
  const shown: string[] = []
  const look = async (argv: readonly string[], env: Record<string, string>) => {
    const {stdout, stderr} = await run(argv, copy, env)
    shown.push(stdout, stderr)
  }
  for (const argv of [
    ['auth', 'status', '--check'],
    ['customer', 'search', 'ada'],
    ['doctor'],
    ['server', 'status'],
  ]) {
    await look(argv, local)
  }
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  const key = privateKey.export({type: 'pkcs8', format: 'pem'}).toString()
  writeFileSync(join(work, 'strange.pem'), key)
  const certificate = new URL('../fixtures/tls/certificate.pem', import.meta.url).pathname
  const token = plainCanary()
  const secure = {STORECTL_PROFILE: '', STORECTL_URL: url.replace('http:', 'https:'), STORECTL_TOKEN: token}
  await look(['auth', 'status', '--check', '--cert', certificate, '--key', join(work, 'strange.pem')], secure)
  await look(['customer', 'search', 'ada'], secure)
  const {
    clientId: _,
    username: __,
    ...own
  } = JSON.parse(readFileSync(join(copy, 'shop', 'credentials'), 'utf8'))
  const [, first = '', second = ''] = key.split('\n')
  // The shop itself has its webhook token among its settings, as every shop.
  const files = Object.entries(filesBelow(copy)).filter(([name]) => !name.startsWith('shop/'))
  expectNowhere(
    {...textsIn(own), token, first, second},
    {shown: shown.join('\n'), ...Object.fromEntries(files)},
  )
  expect(shown.join('\n')).toContain('No secure connection')
})
