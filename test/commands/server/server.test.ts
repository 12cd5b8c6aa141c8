import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {type TestContext, type TestContextOptions, testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {homeWithShop} from '../../support/prepared-shop.js'
import {storectl} from '../../support/storectl.js'
import {until} from '../../support/until.js'

interface Running extends TestContext {
  /** What `-o json` printed. */
  readonly started: {
    url: string
    pid: number
    data: string
    webhookUrl: string
    credentials: Record<string, string> | null
  }
  /** As the file beside its database has them. */
  readonly credentials: Record<string, string>
  /** Ends it as Ctrl-C does, and gives the exit code. */
  readonly stop: () => Promise<number>
}

/** `server start -o json` in this process, until the test stops it; of a shop that is there unless a home is given. */
async function running(argv: string[] = [], options: TestContextOptions = {}): Promise<Running> {
  const made = testContext({home: options.home ?? (await homeWithShop()), ...options})
  const ended = storectl(['server', 'start', '-o', 'json', ...argv], made)
  let early: unknown
  void ended.then(end => {
    early = end
  })
  await until('the server listens', () => made.out().includes('\n') || early !== undefined)
  if (early) throw new Error(`ended early: ${JSON.stringify(early)}`)
  const stop = async () => {
    made.interruption.stop('SIGINT')
    return (await ended).exit
  }
  const started: Running['started'] = JSON.parse(made.out())
  const credentials = JSON.parse(readFileSync(join(started.data, 'credentials'), 'utf8'))
  return {...made, started, credentials, stop}
}

test('prints one line of JSON once it answers, with credentials at the first start only', async () => {
  const home = temporaryFolder()
  const first = await running([], {home})
  expect(first.started).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    pid: process.pid,
    data: join(home, 'shop'),
    webhookUrl: `${first.started.url}/api/_action/paypal/webhook/execute`,
    credentials: {
      clientId: expect.stringMatching(/^SWIA[A-Z0-9]{22}$/),
      clientSecret: expect.stringMatching(/^[A-Za-z0-9]{51}$/),
      username: 'admin',
      password: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
      webhookToken: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      providerClientId: expect.stringMatching(/^A[A-Za-z0-9]{79}$/),
      providerClientSecret: expect.stringMatching(/^E[A-Za-z0-9]{79}$/),
    },
  })
  expect((await fetch(`${first.started.url}/api/_info/health-check`)).status).toBe(200)
  expect(await first.stop()).toBe(0)
  const again = await running([], {home})
  expect(again.started.credentials).toBeNull()
  expect(await again.stop()).toBe(0)
  expect(first.out().trim().split('\n')).toHaveLength(1)
})

test('a provider or a prefix that cannot stand in an address is refused', async () => {
  for (const argv of [
    ['--provider', ''],
    ['--provider', 'a/b'],
    ['--token-prefix', 'é ü'],
  ]) {
    const {exit, stdout, stderr} = await storectl(['server', 'start', ...argv])
    expect({argv, exit, stdout}).toEqual({argv, exit: 2, stdout: ''})
    expect(stderr).toContain('letters, digits, "-" and "_"')
  }
})

test('keeps its secrets in a file for the owner alone, and out of its log', async () => {
  const server = await running([], {home: temporaryFolder()})
  const {credentials, url, data} = server.started
  await fetch(`${url}/api/_action/paypal/webhook/execute?sw-token=${credentials?.webhookToken}`, {
    method: 'POST',
  })
  await server.stop()
  expect(statSync(join(data, 'credentials')).mode & 0o777).toBe(0o600)
  expect(server.err()).toMatch(
    /^\d\d:\d\d:\d\d POST \/api\/_action\/paypal\/webhook\/execute 400 [\d.]+ ms$/m,
  )
  for (const secret of Object.values(credentials ?? {})) {
    if (secret !== 'admin') expect(server.err()).not.toContain(secret)
  }
})

test('says in words where it listens, and prints the credentials once', async () => {
  const made = testContext()
  const ended = storectl(['server', 'start'], made)
  await until('credentials are printed', () => made.out().includes('webhook token'))
  made.interruption.stop('SIGTERM')
  expect((await ended).exit).toBe(0)
  expect(made.out()).toMatch(
    /^The shop listens on (http:\/\/127\.0\.0\.1:\d+) \(process \d+, data in .*\/shop\)\.\nWebhook: .*\nAPI docs: \1\/\n/,
  )
  expect(made.out().split('\n').slice(-6)).toEqual([
    'Try in another terminal:',
    '  storectl server seed                     # customers and orders',
    '  storectl server trigger --old-token 20   # webhook calls that fail',
    '  storectl webhook diagnose                # why they failed',
    'Stop: Ctrl-C, or storectl server stop',
    '',
  ])
})

test('a first start whose port is taken says where its credentials are, and so does every later one', async () => {
  const home = temporaryFolder()
  const other = await running()
  const {port} = new URL(other.started.url)
  const data = join(home, "it's mine")
  const failed = await storectl(['server', 'start', '--port', port, '--data', data, '-o', 'json'], {home})
  const {error} = JSON.parse(failed.stderr)
  expect([failed.exit, error.code]).toEqual([8, 'conflict.port_in_use'])
  expect(error.message).toContain('The shop and its credentials were created.')
  const command = `storectl server credentials --data '${data.replace("'", `'\\''`)}'`
  expect(error.nextSteps).toContain(command)
  expect((await storectl(['server', 'credentials', '--data', data], {home})).exit).toBe(0)
  const made = testContext({home})
  const ended = storectl(['server', 'start', '--data', data], made)
  await until('it says where credentials are', () => made.out().includes('Credentials'))
  made.interruption.stop('SIGTERM')
  expect((await ended).exit).toBe(0)
  expect(made.out()).toContain(`\nCredentials: ${command}\n`)
  expect(made.out()).toContain(`\n  ${command.replace('credentials', 'seed')}  `)
  expect(made.out()).not.toContain('webhook diagnose')
  await other.stop()
})

test('commands with the profile local find it, and sign in by themselves', async () => {
  const home = await homeWithShop()
  const server = await running([], {home})
  const {exit, stdout} = await storectl(['auth', 'token', '-o', 'json'], {home})
  expect(exit).toBe(0)
  expect(JSON.parse(stdout).url).toBe(server.started.url)
  const status = await storectl(['server', 'status', '-o', 'json'], {home})
  expect(status.exit).toBe(0)
  expect(JSON.parse(status.stdout)).toMatchObject({running: true, answers: true, url: server.started.url})
  await server.stop()
  expect(existsSync(join(home, 'shop', 'server.json'))).toBe(false)
})

test('credentials can be shown again, and made anew while it runs', async () => {
  const home = await homeWithShop()
  const server = await running([], {home})
  const shown = await storectl(['server', 'credentials', '--json'], {home})
  expect(JSON.parse(shown.stdout)).toEqual(server.credentials)
  expect((await storectl(['server', 'credentials', '--reset'], {home})).exit).toBe(2)
  const reset = await storectl(['server', 'credentials', '--reset', '--yes', '--json'], {home})
  expect(JSON.parse(reset.stdout).clientSecret).not.toBe(server.credentials.clientSecret)
  const env = {
    STORECTL_URL: server.started.url,
    STORECTL_CLIENT_ID: server.credentials.clientId,
    STORECTL_CLIENT_SECRET: server.credentials.clientSecret,
  }
  expect((await storectl(['auth', 'token'], {env})).exit).toBe(4)
  expect((await storectl(['auth', 'token'], {home})).exit).toBe(0)
  await server.stop()
})

test('damaged credentials are said to be gone, and a reset brings new ones', async () => {
  const home = await homeWithShop()
  expect((await storectl(['customer', 'search'], {home})).exit).toBe(0)
  for (const text of ['', '{', 'null', '{}', '{"clientId":5}']) {
    writeFileSync(join(home, 'shop', 'credentials'), text)
    const search = await storectl(['customer', 'search'], {home})
    expect({text, exit: search.exit}).toEqual({text, exit: 4})
    expect(search.stderr).toContain('are missing')
    expect(search.stderr).toContain('storectl server credentials --reset')
    expect((await storectl(['server', 'credentials'], {home})).exit).toBe(2)
  }
  expect((await storectl(['server', 'credentials', '--reset', '--yes'], {home})).exit).toBe(0)
  expect((await storectl(['customer', 'search'], {home})).exit).toBe(0)
})

test('a fault strikes as its rule says', async () => {
  const server = await running(['--fault', 'route=token,status=503,count=1'])
  const status = async () => (await fetch(`${server.started.url}/api/oauth/token`, {method: 'POST'})).status
  expect([await status(), await status()]).toEqual([503, 400])
  await server.stop()
})

test('limits and the seed of faults are set at the start', async () => {
  const argv = [
    '--max-limit',
    '2',
    '--body-limit',
    '1KiB',
    '--seed',
    '7',
    '--fault',
    'route=search,latency=1ms',
  ]
  const server = await running(argv)
  const {clientId: client_id, clientSecret: client_secret} = server.credentials
  const post = (path: string, body: string, token = '') =>
    fetch(`${server.started.url}${path}`, {
      method: 'POST',
      body,
      headers: {'content-type': 'application/json', accept: 'application/json', authorization: token},
    })
  const grant = JSON.stringify({grant_type: 'client_credentials', client_id, client_secret})
  const {access_token} = (await (await post('/api/oauth/token', grant)).json()) as {access_token: string}
  const detail = async (answer: Response) =>
    ((await answer.json()) as {errors: {detail: string}[]}).errors[0]?.detail
  expect(await detail(await post('/api/search/tag', '{"limit":3}', access_token))).toBe(
    'The limit must be lower than or equal to MAX_LIMIT(=2). Given: 3',
  )
  expect((await post('/api/search/tag', ' '.repeat(1025), access_token)).status).toBe(413)
  await server.stop()
})

test.each([
  [['--max-limit', '0'], '0'],
  [['--body-limit', '1TB'], '"1TB" is not a size'],
  [['--host', '0.0.0.0'], 'other machines could reach the shop'],
  [['--fault', 'status=99'], 'status'],
  [['--port', '70000'], '70000'],
])('%j is refused before anything is made', async (argv, message) => {
  const home = temporaryFolder()
  const {exit, stderr} = await storectl(['server', 'start', ...argv], {home})
  expect(exit).toBe(2)
  expect(stderr).toContain(message)
  expect(existsSync(join(home, 'shop'))).toBe(false)
})

test('without a server, status ends with 6, stop has nothing to do, and there are no credentials', async () => {
  const home = temporaryFolder()
  const status = await storectl(['server', 'status', '-o', 'json'], {home})
  expect([status.exit, JSON.parse(status.stdout)]).toEqual([6, {...NOT_RUNNING, data: join(home, 'shop')}])
  expect(await storectl(['server', 'stop'], {home})).toEqual({
    exit: 0,
    stdout: '',
    stderr: 'No server is running.\n',
  })
  expect((await storectl(['server', 'credentials'], {home})).exit).toBe(2)
  expect(existsSync(join(home, 'shop'))).toBe(false)
})

/** What status says of a folder where no shop is; the keys are the same at all times. */
const NOT_RUNNING = {
  running: false,
  answers: false,
  url: null,
  pid: null,
  version: null,
  startedAt: null,
  uptimeSeconds: null,
  provider: null,
  tokenPrefix: null,
  sizeBytes: 0,
  counts: null,
}

const seeded = async (home: string) => {
  await storectl(['server', 'seed', '--customers', '7', '--orders', '3'], {home})
  return {customers: 7, orders: 3, fulfillmentOrders: 0, webhookDeliveries: 0, salesChannels: 1}
}
const sizeOf = (home: string) =>
  ['shop.db', 'shop.db-wal']
    .map(name => join(home, 'shop', name))
    .reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0)

test('status asks a running server for what it holds, and says since when it runs', async () => {
  const home = await homeWithShop()
  const counts = await seeded(home)
  const server = await running(['--provider', 'acme', '--token-prefix', 'mo'], {home})
  const {exit, stdout} = await storectl(['server', 'status', '-o', 'json'], {home})
  const status = JSON.parse(stdout)
  expect(exit).toBe(0)
  expect(status).toEqual({
    running: true,
    answers: true,
    url: server.started.url,
    pid: process.pid,
    version: '0.0.0-test',
    startedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    uptimeSeconds: expect.any(Number),
    provider: 'acme',
    tokenPrefix: 'mo',
    data: join(home, 'shop'),
    sizeBytes: sizeOf(home),
    counts,
  })
  expect(Object.keys(status).sort()).toEqual([...Object.keys(NOT_RUNNING), 'data'].sort())
  const later = {
    readTicks: () => 0,
    now: () => new Date(Date.parse(status.startedAt) + 93_784_000),
    sleep: async () => {},
  }
  const table = await storectl(['server', 'status', '-o', 'table'], {home, clock: later})
  expect(table.stdout).toMatch(/^Uptime +1d 2h$/m)
  expect(table.stdout).toMatch(/^Size +[\d.]+ [KM]iB$/m)
  expect(table.stdout).toMatch(/^Customers +7$/m)
  await server.stop()
})

test('status of a shop that does not run counts in its file, and changes nothing there', async () => {
  const made = await homeWithShop()
  const counts = await seeded(made)
  // A copy, which nobody has open: Node 20 closes the files of a closed database later, and they would be counted.
  const home = temporaryFolder()
  cpSync(join(made, 'shop'), join(home, 'shop'), {recursive: true})
  // SQLite puts an empty log and its index beside what it reads, and Node 20 has not taken them away yet.
  const readAll = () => {
    const names = readdirSync(join(home, 'shop')).filter(name => !name.endsWith('-shm'))
    const files = names.map(name => [name, readFileSync(join(home, 'shop', name), 'base64')] as const)
    return files.filter(([name, text]) => text !== '' || !name.endsWith('-wal'))
  }
  const before = readAll()
  const {exit, stdout, stderr} = await storectl(['server', 'status', '-o', 'json'], {home})
  expect([exit, JSON.parse(stdout)]).toEqual([
    6,
    {...NOT_RUNNING, data: join(home, 'shop'), sizeBytes: sizeOf(home), counts},
  ])
  expect(JSON.parse(stderr).error.code).toBe('unavailable.server_down')
  expect(readAll()).toEqual(before)
})

test.each(['', 'no database', 'x'.repeat(20_000)])('status of a file that is no shop: %#', async text => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'shop'))
  writeFileSync(join(home, 'shop', 'shop.db'), text)
  const {exit, stdout} = await storectl(['server', 'status', '-o', 'json'], {home})
  const expected = {...NOT_RUNNING, data: join(home, 'shop'), sizeBytes: text.length}
  expect([exit, JSON.parse(stdout)]).toEqual([6, expected])
})

test('a server that no longer knows the credentials of the file still is said to run', async () => {
  const home = await homeWithShop()
  const server = await running([], {home})
  const file = join(home, 'shop', 'credentials')
  writeFileSync(file, JSON.stringify({...server.credentials, clientSecret: 'another'}))
  const {exit, stdout} = await storectl(['server', 'status', '-o', 'json'], {home})
  expect([exit, JSON.parse(stdout)]).toMatchObject([
    0,
    {running: true, answers: true, version: null, counts: {customers: 0, salesChannels: 1}},
  ])
  await server.stop()
})

test('nobody but an administrator is told what a server holds', async () => {
  const server = await running()
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${server.started.url}/_storectl/status`, {headers})).status
  const {clientId, clientSecret} = server.credentials
  const basic = (id = '', secret = '') => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  })
  expect([await ask({}), await ask(basic(clientId, 'x')), await ask(basic(clientId, clientSecret))]).toEqual([
    401, 401, 200,
  ])
  await server.stop()
})

test('seeding twice gives what seeding once gives, and commands find it', async () => {
  const home = await homeWithShop()
  const argv = ['server', 'seed', '--customers', '12', '--orders', '5', '-o', 'json']
  const once = await storectl(argv, {home})
  expect([once.exit, JSON.parse(once.stdout)]).toEqual([
    0,
    {customers: 12, orders: 5, seed: 1, data: join(home, 'shop')},
  ])
  expect((await storectl(argv, {home})).stdout).toBe(once.stdout)
  const {stdout} = await storectl(['customer', 'search', '--all', '-o', 'id'], {home})
  expect(stdout.trim().split('\n')).toHaveLength(12)
})

test('an empty name of a data folder is refused, and does not mean the working folder', async () => {
  const ended = await storectl(['server', 'start', '--data', '', '-o', 'json'], {home: temporaryFolder()})
  expect([ended.exit, JSON.parse(ended.stderr).error.code]).toEqual([2, 'usage.data'])
})

test('the bundled shop is a file: a PostgreSQL on the command line is refused, one that is set is for the records', async () => {
  const home = await homeWithShop()
  const url = 'postgres://ada@127.0.0.1:1/storectl'
  for (const words of ['start', 'seed', 'status', 'credentials', 'fault list']) {
    const ended = await storectl(['server', ...words.split(' '), '--database', url, '-o', 'json'], {home})
    expect([words, ended.exit, JSON.parse(ended.stderr).error.code]).toEqual([words, 2, 'usage.shop_in_file'])
  }
  const argv = ['server', 'credentials', '-o', 'json']
  const {exit, stdout} = await storectl(argv, {home, env: {STORECTL_DATABASE_URL: url}})
  expect([exit, stdout]).toEqual([0, (await storectl(argv, {home})).stdout])
})

test('flags of a seed that would do nothing are refused, and rows that were there already are named', async () => {
  const home = temporaryFolder()
  for (const words of [
    ['--drift', '1%'],
    ['--payments', '0', '--report-lag', '3h'],
  ]) {
    const {exit, stderr} = await storectl(['server', 'seed', ...words], {home})
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining(`${words.at(-2)} needs --payments N above 0.`),
    ])
  }
  const seed = async (customers: string) =>
    (await storectl(['server', 'seed', '--customers', customers, '--orders', '3'], {home})).stderr
  expect(await seed('6')).not.toContain('already')
  expect(await seed('2')).toContain('The shop had more rows already')
  expect(await seed('6')).not.toContain('already')
})
