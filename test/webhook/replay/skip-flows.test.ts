import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {event, file, ndjson, openPayments, replay, testShop, transactionId} from '../support.js'

const SKIP = 'sw-skip-trigger-flow'

test('--skip-flows sends the header, and plan, confirmation, run and report say so', async () => {
  const {states, events} = openPayments(2)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const path = file(ndjson(events))
  const dry = await replay(shop, [path, '--dry-run', '--skip-flows'], {home})
  expect(dry.stderr).toContain(
    'Flows are skipped: no e-mails to customers; webhooks and plugins of the shop still run\n',
  )
  const person = {env: shop.env, home, terminal: true, answers: [false]}
  const asked = await storectl(['webhook', 'replay', path, '--skip-flows'], person)
  expect(asked.stderr).toMatch(/; flows skipped$/m)
  expect((await replay(shop, [path, '--skip-flows'], {home})).exit).toBe(0)
  expect(shop.received.map(({headers}) => headers[SKIP])).toEqual(['1', '1'])
  const shown = await storectl(['run', 'show', 'last', '-o', 'json'], {home})
  expect(JSON.parse(shown.stdout)).toMatchObject({
    flows: 'skipped',
    options: {options: {skipFlows: true, versions: {shop: '6.6.7.1', plugin: '9.6.2', from: 'shop'}}},
  })
  const report = await storectl(['run', 'export', 'last', '--format', 'markdown'], {home})
  expect(report.stdout).toContain('| Flows | skipped |')
})

test('without --skip-flows the header is not sent, not even where the captured event has it', async () => {
  const {states, events} = openPayments(1)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const body = JSON.stringify(events[0])
  const address = `/api/_action/paypal/webhook/execute?sw-token=${shop.env.STORECTL_WEBHOOK_TOKEN}`
  const head = `POST ${address} HTTP/1.1\r\nhost: shop.example\r\ncontent-type: application/json\r\n${SKIP}: 1`
  const captured = file(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  expect((await replay(shop, [captured], {home})).exit).toBe(0)
  expect(shop.received.map(({headers}) => headers[SKIP])).toEqual([undefined])
  const shown = await storectl(['run', 'show', 'last', '-o', 'json'], {home})
  expect(JSON.parse(shown.stdout)).toMatchObject({flows: 'run'})
})

test.each([
  ['6.5.8.14', {shop: '6.5.8.14', plugin: '8.6.2'}, 'Shopware 6.5.8.14 is not known to skip flows'],
  [
    '6.6.0.0, before the measured one',
    {shop: '6.6.0.0', plugin: '9.0.0'},
    'Shopware 6.6.0.0 is not known to skip flows',
  ],
  ['6.8.0.0', {shop: '6.8.0.0', plugin: '11.0.0'}, 'Shopware 6.8.0.0 is not known to skip flows'],
  ['unknown', null, "The shop's version is unknown"],
] as const)('--skip-flows is refused before anything is sent: %s', async (_, versions, why) => {
  const {states, events} = openPayments(1)
  const shop = await testShop(states, versions)
  for (const how of [[], ['--no-check-state'], ['--dry-run']]) {
    const {exit, stderr} = await replay(shop, [file(ndjson(events)), '--skip-flows', ...how])
    expect([exit, shop.received]).toEqual([2, []])
    expect(stderr).toContain(why)
  }
})

test('a plan stores whether flows are skipped, and --apply checks the shop of today', async () => {
  const {states, events} = openPayments(1)
  const shop = await testShop(states, {shop: '6.7.5.0', plugin: '10.6.2'})
  const home = temporaryFolder()
  const plan = join(temporaryFolder(), 'quiet.plan')
  await replay(shop, [file(ndjson(events)), '--plan', plan, '--skip-flows'], {home})
  const [head = ''] = readFileSync(plan, 'utf8').split('\n')
  expect(JSON.parse(head).rules).toMatchObject({skipFlows: true, versions: {shop: '6.7.5.0'}})
  expect((await replay(shop, ['--apply', plan], {home})).exit).toBe(0)
  expect(shop.received.map(({headers}) => headers[SKIP])).toEqual(['1'])
  const both = await storectl(['webhook', 'replay', '--apply', plan, '--skip-flows'], {env: shop.env, home})
  expect(both).toMatchObject({exit: 2, stderr: expect.stringContaining('--plan FILE --skip-flows')})
})

test('--skip-flows does not go with --via provider', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const {exit, stderr} = await replay(shop, [
    file(ndjson([event(1)])),
    ...['--skip-flows', '--via', 'provider'],
  ])
  expect(exit).toBe(2)
  expect(stderr).toContain('The provider sends its own headers')
})
