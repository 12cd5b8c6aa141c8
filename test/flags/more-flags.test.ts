import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import type {FullScreen} from '../../src/platform/terminal/full-screen.js'
import {openRecords} from '../../src/records/index.js'
import {runCapture} from '../gateway/support.js'
import {begun, thisMachine} from '../runs/support.js'
import {currentTime} from '../support/clock.js'
import {testContext} from '../support/context.js'
import {endpoint} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {loginWords} from '../support/login-words.js'
import {homeWithShop} from '../support/prepared-shop.js'
import {storectl} from '../support/storectl.js'
import {until} from '../support/until.js'
import {
  event,
  eventId,
  file,
  ndjson,
  openPayments,
  replay,
  SHOP_ERROR,
  testShop,
  transactionId,
} from '../webhook/support.js'

/** A home with an inbox of so many events that can be delivered. */
async function inboxOf(count: number) {
  const {states, events} = openPayments(count)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const run = (...argv: string[]) => storectl(argv, {home, env: shop.env})
  await run('webhook', 'import', file(ndjson(events)))
  const replay = (...argv: string[]) => run('webhook', 'replay', '--yes', '--rate', 'none', ...argv)
  return {shop, home, run, replay}
}

test('webhook list --all lists more than a page', async () => {
  const {run} = await inboxOf(30)
  expect((await run('webhook', 'list', '-o', 'id')).stdout.trim().split('\n')).toHaveLength(25)
  expect((await run('webhook', 'list', '-o', 'id', '--all')).stdout.trim().split('\n')).toHaveLength(30)
})

test('run list --all lists more than a page', async () => {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  for (let count = 0; count < 26; count++) {
    const run = await begun(records.runs, machineClock, {
      target: `https://${count}.example`,
      machine: thisMachine,
    })
    await run.end({isComplete: true})
  }
  await records.close()
  const list = async (...words: string[]) =>
    (await storectl(['run', 'list', '-o', 'id', ...words], {home})).stdout
  expect((await list()).trim().split('\n')).toHaveLength(25)
  expect((await list('--all')).trim().split('\n')).toHaveLength(26)
})

test('webhook replay --retries 0 sends once', async () => {
  const {shop, replay} = await inboxOf(1)
  shop.intercept = () => ({status: 503})
  await replay('--retries', '0')
  expect(shop.received).toHaveLength(1)
})

test('webhook replay --breaker-failures stops a shop that fails', async () => {
  const {shop, replay} = await inboxOf(30)
  shop.intercept = () => SHOP_ERROR
  const words = ['--retries', '0', '--canary', '0', '--concurrency', '1', '--breaker-rate', '100%']
  expect((await replay(...words, '--breaker-failures', '2')).exit).toBe(7)
  expect(shop.received).toHaveLength(2)
})

test('webhook replay --breaker-rate goes on where its default stops', async () => {
  const {shop, replay} = await inboxOf(24)
  let count = 0
  shop.intercept = () => (++count % 3 === 0 ? SHOP_ERROR : undefined)
  await replay('--retries', '0', '--canary', '0', '--concurrency', '1', '--breaker-rate', '90%')
  expect(shop.received).toHaveLength(24)
})

test('webhook replay --include-wrong-token sends what came with another token', async () => {
  const {states, events} = openPayments(1)
  const shop = await testShop(states)
  const capture = await runCapture(shop.url)
  await capture.send(events[0] ?? {}, {token: 'x'.repeat(32)})
  capture.interrupt()
  await capture.ended
  const words = ['webhook', 'replay', '--yes', '--rate', 'none', '--include-wrong-token', '-o', 'ndjson']
  expect(JSON.parse((await capture.run(...words)).stdout).result).toBe('applied')
})

test('webhook replay --include-amount-differs sends a capture over another amount', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const path = file(ndjson([event(1, {amount: '1.00'})]))
  const {outcomes} = await replay(shop, [path, '--include-amount-differs'])
  expect(outcomes).toEqual([[eventId(1), 'applied']])
})

test('webhook triage --no-check-state shows what is known without the shop', async () => {
  const {shop, home} = await inboxOf(1)
  let searches = 0
  shop.searched = () => void searches++
  const look = async (screen: FullScreen<object>) => {
    const leave = screen.watch(() => {})
    const draw = () => screen.render({columns: 80, rows: 24}).join('\n')
    await until('the event is in a group', () => draw().includes('[ ]'))
    leave()
    return {}
  }
  const given = {home, env: shop.env, terminal: true}
  const triage = (...words: string[]) =>
    storectl(['webhook', 'triage', ...words], {...given, answers: [look]})
  expect([(await triage('--no-check-state')).exit, searches]).toEqual([0, 0])
  expect([(await triage()).exit, searches]).toEqual([0, 1])
})

test('run resume --max refuses more', async () => {
  const {shop, run, replay} = await inboxOf(8)
  shop.intercept = () => SHOP_ERROR
  await replay('--retries', '0', '--breaker-failures', '2', '--concurrency', '1')
  shop.intercept = () => undefined
  expect((await run('run', 'resume', 'last', '--yes', '--max', '1')).exit).toBe(7)
})

test('run set --paused --confirm opens a protected profile', async () => {
  const home = temporaryFolder()
  await storectl(['profile', 'set', 'shop', '--url', 'https://shop.example', '--protected'], {home})
  const records = await openRecords(join(home, 'records.db'), currentTime)
  await begun(records.runs, machineClock, {machine: thisMachine})
  await records.close()
  const pause = (...words: string[]) => storectl(['run', 'set', 'last', '--paused', ...words], {home})
  expect((await pause()).exit).toBe(7)
  expect((await pause('--confirm', 'shop')).exit).toBe(0)
})

test('webhook deregister wants --yes, and then is sent', async () => {
  const {shop, run} = await inboxOf(0)
  const without = await run('webhook', 'deregister')
  expect([without.exit, without.stderr]).toEqual([2, expect.stringContaining('--yes')])
  expect((await run('webhook', 'deregister', '--yes')).exit).not.toBe(2)
  expect(shop.received).not.toEqual([])
})

test('api --raw-field sends text where --field sends a number', async () => {
  const shop = await endpoint(() => ({body: {}}))
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'signed-in'}
  await storectl(['api', 'POST', '/api/x', '--raw-field', 'a=1', '--field', 'b=1', '--yes'], {env})
  expect(JSON.parse(shop.received.at(-1)?.body ?? '')).toEqual({a: '1', b: 1})
})

test('secrets of a profile come from files and stdin', async () => {
  const shop = await endpoint(() => ({body: {access_token: 't', expires_in: 600, token_type: 'Bearer'}}))
  const home = temporaryFolder()
  const secret = join(home, 'secret')
  writeFileSync(secret, 'hidden-secret\n', {mode: 0o600})
  const headers = join(home, 'headers')
  writeFileSync(headers, 'X-Gate: open\n', {mode: 0o600})
  const words = loginWords(shop.url).slice(0, -1)
  const context = {home, stdin: 'hidden-token', env: {STORECTL_CLIENT_SECRET: 'hidden-secret'}}
  await storectl([...words, '--webhook-token-stdin'], context)
  const show = async (name: string) =>
    JSON.parse((await storectl(['profile', 'show', name, '-o', 'json'], {home})).stdout)
  expect(await show('shop')).toMatchObject({hasWebhookToken: true})
  const files = [
    '--webhook-token-file',
    secret,
    '--header-file',
    headers,
    '--provider-client-secret-file',
    secret,
  ]
  await storectl(
    ['profile', 'set', 'other', '--url', 'https://b.example', '--provider-client-id', 'A', ...files],
    {home},
  )
  expect(await show('other')).toMatchObject({
    hasWebhookToken: true,
    headers: ['X-Gate'],
    hasProviderSecret: true,
  })
})

test('logout --all drops the secrets of every profile', async () => {
  const shop = await endpoint(() => ({body: {access_token: 't', expires_in: 600, token_type: 'Bearer'}}))
  const context = {home: temporaryFolder(), stdin: 'hidden-secret'}
  const words = loginWords(shop.url)
  await storectl(words, context)
  await storectl(
    words.map(word => (word === 'shop' ? 'other' : word)),
    context,
  )
  const credentials = () => readFileSync(join(context.home, 'credentials.json'), 'utf8')
  expect(credentials().match(/hidden-secret/g)).toHaveLength(2)
  await storectl(['logout', '--all'], {home: context.home})
  expect(credentials()).not.toContain('hidden-secret')
})

test('customer search --inactive, and --no-header and --no-input of every command', async () => {
  const {stdout} = await storectl(['customer', 'search', '--inactive', '--show-request'])
  expect(JSON.parse(stdout).body.filter).toEqual([{type: 'equals', field: 'active', value: false}])
  const bare = await storectl(['profile', 'list', '-o', 'csv', '--no-header', '--fields', 'name'])
  expect(bare.stdout).toBe('local\r\n')
  const asked = await storectl(['login', '--no-input'], {terminal: true, answers: ['https://shop.example']})
  expect([asked.exit, asked.stderr]).toEqual([2, expect.stringContaining('--url')])
})

test('--bom of every command begins CSV with a byte order mark, and is refused for what is no CSV', async () => {
  const list = ['profile', 'list', '--fields', 'name', '--bom']
  expect((await storectl([...list, '-o', 'csv'])).stdout).toBe('\ufeffname\r\nlocal\r\n')
  expect((await storectl([...list, '-o', 'csv', '--no-header'])).stdout).toBe('\ufefflocal\r\n')
  const {exit, stdout, stderr} = await storectl([...list, '-o', 'tsv'])
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain('--bom is for CSV, not for tsv: add -o csv.')
  const file = join(temporaryFolder(), 'customers.csv')
  const search = ['customer', 'search', '--show-request', '--bom', '--out']
  expect((await storectl([...search, file])).exit).toBe(0)
  expect((await storectl([...search, file.replace('.csv', '.json')])).exit).toBe(2)
})

test('--no-pager of every command starts no pager', async () => {
  const given = {terminal: true, rows: 3, env: {PAGER: 'cat > /dev/null; exit 127'}}
  expect((await storectl(['config', 'list'], given)).exit).toBe(1)
  expect((await storectl(['config', 'list', '--no-pager'], given)).exit).toBe(0)
})

test('server start --seed draws other faults', async () => {
  const draw = async (...words: string[]) => {
    const made = testContext({home: await homeWithShop()})
    const fault = ['--fault', 'route=token,status=503,rate=50%']
    const ended = storectl(['server', 'start', '--port', '0', '-o', 'json', ...fault, ...words], made)
    await until('the server listens', () => made.out().includes('\n'))
    onTestFinished(async () => {
      made.interruption.stop('SIGINT')
      await ended
    })
    const {url} = JSON.parse(made.out())
    const statuses: number[] = []
    for (let count = 0; count < 30; count++)
      statuses.push((await fetch(`${url}/api/oauth/token`, {method: 'POST'})).status)
    return statuses
  }
  expect(await draw('--seed', '7')).not.toEqual(await draw())
})

test('webhook capture --allow-remote listens on every address', async () => {
  const shop = await testShop()
  const {url} = await runCapture(shop.url, ['--allow-remote', '--metrics-listen', '0.0.0.0:0'])
  expect([url, event(1).id]).toEqual([expect.stringMatching(/^http/), expect.any(String)])
})
