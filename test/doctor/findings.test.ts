import {execFileSync} from 'node:child_process'
import {X509Certificate} from 'node:crypto'
import {chmodSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {examine} from '../../src/doctor/doctor.js'
import {createMachineChecks, type MachineFacts} from '../../src/doctor/machine-checks.js'
import {loadSqlite} from '../../src/storage/sqlite/connection.js'
import {StoppedClock} from '../support/clock.js'
import type {Received, Reply} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {secureServer} from '../support/secure-server.js'
import {tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

interface Found {
  readonly check: string
  readonly state: string
  readonly found: string
  readonly fix: string[]
}

async function examined(options: Parameters<typeof storectl>[1], argv: string[] = []) {
  const {exit, stdout} = await storectl(['doctor', '-o', 'json', ...argv], options)
  const findings = JSON.parse(stdout) as Found[]
  const of = (name: string) => findings.find(({check}) => check === name) as Found
  return {
    exit,
    findings,
    of,
    notWell: findings.filter(({state}) => state === 'failed' || state === 'warning'),
  }
}

function well(request: Received): Reply {
  if (request.url === '/api/_info/version') return {status: 200, body: {version: '6.6.7.1'}}
  return {status: 200, body: {total: 0, data: []}}
}

async function shop(answer: (request: Received) => Reply | undefined = () => undefined) {
  const shop = await tokenShop({answer: request => answer(request) ?? well(request)})
  const env = {
    STORECTL_URL: shop.url,
    STORECTL_CLIENT_ID: 'SWIAX',
    STORECTL_CLIENT_SECRET: 'right-secret',
    STORECTL_WEBHOOK_TOKEN: 'known-token',
  }
  return {...shop, env}
}

/** Does what a finding says, as far as it is something to paste. */
function paste(mend: readonly string[], command: string): void {
  const line = mend.find(each => each.startsWith(command))
  expect(line).toBeDefined()
  execFileSync('sh', ['-c', line as string])
}

function everythingIn(folder: string): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort()
}

test('with nothing set up all is fine, and nothing is made on disk', async () => {
  const home = temporaryFolder()
  const {exit, findings, notWell} = await examined({home})
  expect([exit, notWell, everythingIn(home)]).toEqual([0, [], []])
  expect(findings.find(({check}) => check === 'shop')?.found).toContain('the bundled shop')
  expect(findings.find(({check}) => check === 'token')?.state).toBe('skipped')
})

test('a bundled shop that is there is looked at like any other', async () => {
  const home = temporaryFolder()
  await storectl(['server', 'seed', '--customers', '1', '--orders', '0'], {home})
  const {exit, of, notWell} = await examined({home})
  expect([exit, notWell, of('token').state, of('privileges').state]).toEqual([0, [], 'ok', 'ok'])
})

test('every row has the same members, whatever was found', async () => {
  for (const env of [{}, {STORECTL_URL: 'http://127.0.0.1:9', STORECTL_TOKEN: 'x'}]) {
    const {findings} = await examined({env})
    for (const row of findings) expect(Object.keys(row)).toEqual(['check', 'state', 'found', 'fix'])
    expect(new Set(findings.map(({check}) => check)).size).toBe(findings.length)
  }
})

test('help names everything that is looked at', async () => {
  const {findings} = await examined({})
  const {stdout} = await storectl(['doctor', '--help'])
  const help = stdout.replaceAll(/\s+/g, ' ')
  for (const {check} of findings) expect(help).toContain(check)
})

test('the command for open files closes them', async () => {
  const home = temporaryFolder()
  await storectl(['config', 'set', 'timeout', '10s'], {home})
  const file = join(home, 'settings.json')
  chmodSync(file, 0o664)
  const before = await examined({home})
  expect([before.exit, before.of('file modes').state]).toEqual([2, 'failed'])
  paste(before.of('file modes').fix, 'chmod')
  expect((await examined({home})).exit).toBe(0)
})

test('settings that are not JSON are out of the way after the command that is named', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.json'), '{"profile": ')
  const {exit, of} = await examined({home})
  expect([exit, of('settings').state]).toEqual([2, 'failed'])
  paste(of('settings').fix, 'mv')
  expect((await examined({home})).exit).toBe(0)
})

test('the secrets of the bundled shop are among the files that others must not reach', async () => {
  const home = temporaryFolder()
  await storectl(['server', 'credentials', '--reset', '--yes'], {home})
  chmodSync(join(home, 'shop', 'credentials'), 0o644)
  expect((await examined({home})).of('file modes').state).toBe('failed')
})

const fine: MachineFacts = {
  readSettings: async () => ({file: '/x/settings.json', isBroken: false, location: 'local', from: ''}),
  listPrivateFiles: async () => [],
  probeKeyring: async () => undefined,
  measureRoom: async () => ({folder: '/x', bytes: 1e12}),
  inspectRecords: async () => undefined,
  compareRecords: async () => undefined,
  findNotStored: async () => undefined,
}

test.each([
  [0, 'failed', ['internal']],
  [300 * 1024 * 1024, 'warning', []],
  [1e12, 'ok', []],
])('%i bytes of room: %s', async (bytes, state, exits) => {
  const {rows, failures} = examine(
    createMachineChecks({...fine, measureRoom: async () => ({folder: '/x', bytes})}),
  )
  const found = []
  for await (const row of rows) found.push(row)
  const disk = found.find(({check}) => check === 'disk')
  expect([disk?.state, failures]).toEqual([state, exits])
  if (state !== 'ok') expect(disk?.fix).toContain('df -h /x')
})

async function withRecords(): Promise<{home: string; file: string}> {
  const home = temporaryFolder()
  await storectl(['run', 'list'], {home})
  return {home, file: join(home, 'records.db')}
}

async function changed(file: string, sql: string): Promise<void> {
  const Sqlite = await loadSqlite()
  const database = new Sqlite(file)
  database.exec(sql)
  database.close()
}

test('records of a newer storectl are named as that, and left as they are', async () => {
  const {home, file} = await withRecords()
  await changed(file, "insert into schema_version values (999, 'later', 1, '2030-01-01')")
  const [steps, names] = [await stepsIn(file), everythingIn(home)]
  const {exit, of} = await examined({home})
  expect([exit, of('records').state, of('records').fix]).toEqual([
    2,
    'failed',
    ['npm install --global storectl'],
  ])
  expect(of('records').found).toContain('newer storectl (later)')
  expect([await stepsIn(file), everythingIn(home)]).toEqual([steps, names])
})

/** What is in a database; its bytes may change, when what an earlier connection has logged is folded in. */
async function stepsIn(file: string): Promise<unknown[]> {
  const Sqlite = await loadSqlite()
  const database = new Sqlite(file)
  const steps = database.prepare('select version, name from schema_version order by version').all()
  database.close()
  return steps
}

test('records of an older storectl are fine, and stay as old as they are', async () => {
  const {home, file} = await withRecords()
  await changed(file, 'delete from schema_version')
  expect((await examined({home})).of('records').state).toBe('ok')
  expect(await stepsIn(file)).toEqual([])
})

test('records that are no database: the command moves them away, and a new one is begun', async () => {
  const {home, file} = await withRecords()
  writeFileSync(file, 'x'.repeat(5000))
  const {exit, of} = await examined({home})
  expect([exit, of('records').state]).toEqual([1, 'failed'])
  paste(of('records').fix, 'mv')
  expect((await storectl(['run', 'list'], {home})).exit).toBe(0)
  expect((await examined({home})).exit).toBe(0)
})

test('a token that was revoked is one to sign in again for', async () => {
  const errors = [{status: '401', code: '9', title: 'Access token has been revoked', detail: null}]
  const {url} = await shop(({url}) =>
    url === '/api/_info/version' ? {status: 401, body: {errors}} : undefined,
  )
  const {exit, of} = await examined({env: {STORECTL_URL: url, STORECTL_TOKEN: 'revoked-token'}})
  expect([exit, of('token').state]).toEqual([4, 'failed'])
  expect(of('token').fix.join(' ')).toContain('STORECTL_TOKEN')
})

test('a role that may not read orders is found, and whether it may submit them is not tried', async () => {
  const detail = JSON.stringify({message: 'Missing privilege', missingPrivileges: ['fulfillment_order:read']})
  const errors = [{status: '403', code: 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', title: 'Forbidden', detail}]
  const {env, received} = await shop(({url}) =>
    url === '/api/search/fulfillment-order' ? {status: 403, body: {errors}} : undefined,
  )
  const {exit, of} = await examined({env}, ['--for', 'submit'])
  expect([exit, of('privileges').found]).toEqual([
    4,
    expect.stringContaining('order submit, order list, order show: missing fulfillment_order:read; '),
  ])
  expect(received.map(({url}) => url)).not.toContain('/api/fulfillment/order')
})

test('nothing comes of looking at the bundled shop: no order, no delivery', async () => {
  const home = temporaryFolder()
  await storectl(['server', 'seed', '--customers', '1', '--orders', '1'], {home})
  const counts = async () =>
    JSON.parse((await storectl(['server', 'status', '-o', 'json'], {home})).stdout).counts
  const before = await counts()
  expect((await examined({home})).of('privileges').state).toBe('ok')
  expect(await counts()).toEqual(before)
})

const TLS = join(import.meta.dirname, '../fixtures/tls/')

function secureShop(): Promise<string> {
  const [key, cert] = ['key.pem', 'certificate.pem'].map(name => readFileSync(join(TLS, name)))
  return secureServer({key, cert})
}

const END = new Date(new X509Certificate(readFileSync(join(TLS, 'certificate.pem'))).validTo)

test.each([
  [40, 'ok', /^valid until/],
  [3, 'warning', /3 days from now/],
  [1, 'warning', /1 day from now/],
  [-2, 'failed', /^expired on/],
])('a certificate with %i days left: %s', async (days, state, words) => {
  const url = await secureShop()
  const clock = new StoppedClock(new Date(END.getTime() - (days * 86_400_000 + 60_000)).toISOString())
  const {of} = await examined({
    clock,
    env: {STORECTL_URL: url, STORECTL_TOKEN: 'x', STORECTL_CA_FILE: join(TLS, 'certificate.pem')},
  })
  expect([of('certificate').state, of('connection').state]).toEqual([state, 'ok'])
  expect(of('certificate').found).toMatch(words)
  if (state !== 'ok') expect(of('certificate').fix[0]).toContain(new URL(url).host)
})

test('a certificate is looked at also where nothing can be said to the shop because of it', async () => {
  const {exit, of} = await examined({env: {STORECTL_URL: await secureShop(), STORECTL_TOKEN: 'x'}})
  expect([exit, of('connection').state, of('certificate').state]).toEqual([6, 'failed', 'ok'])
  expect(of('connection').fix.join(' ')).toContain('--ca-file')
})

test('a proxy that is not there is named by the connection', async () => {
  const {exit, of} = await examined({
    env: {STORECTL_URL: 'https://shop.example', STORECTL_TOKEN: 'x', HTTPS_PROXY: 'http://127.0.0.1:9'},
  })
  expect([exit, of('name').state, of('connection').state]).toEqual([6, 'skipped', 'failed'])
  expect(of('shop').found).toContain('through http://127.0.0.1:9')
  expect(of('connection').fix).toContain('env | grep -i proxy')
})

test('a webhook token that is missing is kept for the very profile that was looked at', async () => {
  const {url, env} = await shop()
  const home = temporaryFolder()
  const {STORECTL_WEBHOOK_TOKEN: _, ...bare} = env
  await storectl(['profile', 'set', 'live', '--url', url], {home})
  const {of} = await examined({home, env: bare}, ['--profile', 'live', '--url', url])
  expect(of('webhook token').fix[0]).toBe('storectl profile set live --webhook-token-stdin')
  const [, ...argv] = (of('webhook token').fix[0] as string).split(' ')
  await storectl(argv, {home, stdin: 'new-token\n'})
  expect((await examined({home, env: bare}, ['--profile', 'live'])).of('webhook token').state).toBe('ok')
})

test('a webhook token that was replaced at the shop is found, and the new one mends it', async () => {
  const current = ({url}: Received) => url.endsWith('sw-token=new-token')
  const answer = (detail: string): Reply => ({
    status: 400,
    body: {errors: [{status: '400', code: '0', detail}]},
  })
  const {url, env} = await shop(request => {
    if (!request.url.includes('/webhook/execute')) return undefined
    return answer(current(request) ? 'No webhook data sent' : 'Shopware token is invalid')
  })
  const home = temporaryFolder()
  const {STORECTL_WEBHOOK_TOKEN: _, ...bare} = env
  const keep = (token: string) =>
    storectl(['profile', 'set', 'live', '--url', url, '--webhook-token-stdin'], {home, stdin: token})
  await keep('old-token')
  const {exit, of} = await examined({home, env: bare})
  expect([exit, of('webhook token').state]).toEqual([4, 'failed'])
  expect(of('webhook token').fix[0]).toBe('storectl profile set live --webhook-token-stdin')
  await keep('new-token')
  expect((await examined({home, env: bare})).exit).toBe(0)
})

test('where nothing is registered any more, no new token is spoken of', async () => {
  const {env} = await shop(({url}) => {
    if (url.includes('/webhook/status/')) return {status: 200, body: {result: 'missing'}}
    if (!url.includes('/webhook/execute')) return undefined
    return {status: 400, body: {errors: [{status: '400', code: '0', detail: 'Shopware token is invalid'}]}}
  })
  const {exit, of} = await examined({env})
  expect([exit, of('webhook token').state]).toEqual([4, 'failed'])
  expect(of('webhook token').found).toBe('nothing is registered, and the shop refuses the stored token')
  expect(of('webhook token').fix).toEqual([expect.stringContaining('storectl webhook register')])
})

test('a registration that is gone is made again by the command that is named', async () => {
  let said = 'missing'
  const {env} = await shop(({method, url}) => {
    if (url.includes('/webhook/status/')) return {status: 200, body: {result: said}}
    if (method !== 'POST' || !url.includes('/webhook/register/')) return undefined
    said = 'valid'
    return {status: 200, body: {result: 'created'}}
  })
  const {exit, of} = await examined({env})
  expect([exit, of('webhook token').fix]).toEqual([
    4,
    [expect.stringMatching(/^storectl webhook register --url /)],
  ])
  await storectl(['webhook', 'register', '--yes'], {env})
  expect((await examined({env})).exit).toBe(0)
})

test.each([
  ['2026-11-21T12:00:00Z', 'ok', 'in sync with this machine'],
  ['2026-11-21T12:10:00Z', 'warning', "the shop's clock is 600 s ahead of this machine's"],
  ['2026-11-21T11:50:00Z', 'warning', "the shop's clock is 600 s behind this machine's"],
  [undefined, 'skipped', 'the shop sends no Date header'],
])('of a shop whose clock says %s: %s', async (at, state, found) => {
  const date = at === undefined ? '' : new Date(at).toUTCString()
  const {env} = await shop(request => ({...well(request), headers: {date}}))
  const {of} = await examined({env, clock: new StoppedClock('2026-11-21T12:00:00.000Z')})
  expect(of('clock')).toMatchObject({state, found})
})

test('a shop that has no profile is called by its URL', async () => {
  const {url, env} = await shop()
  const {of} = await examined({env})
  expect(of('settings').found).toBe(`commands use ${url} (set by STORECTL_URL)`)
  expect(of('shop').found).toBe(`${url}/, no proxy`)
})
