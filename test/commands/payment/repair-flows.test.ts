import {createHash} from 'node:crypto'
import {readFileSync, writeFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {seedPaymentShop} from '../../support/payment-shop.js'
import {stateOf} from '../../support/shop.js'
import {startGate} from '../../support/shop-gate.js'
import {storectl} from '../../support/storectl.js'

const isTransition = ({method, url = ''}: {method?: string | undefined; url?: string | undefined}) =>
  method === 'POST' && url.includes('/api/_action/order_transaction/')

/** A shop with one capture that was missed in ten, behind a gate that sees what is asked of it. */
async function prepare(...answer: Parameters<typeof startGate>[1][]) {
  const seeded = await seedPaymentShop(10, 0.1)
  const gate = await startGate(seeded.shop.url, answer[0])
  const env = {...seeded.env, STORECTL_URL: gate.url}
  const ask = (...words: string[]) => storectl(['payment', 'reconcile', ...words], {home: seeded.home, env})
  const skipped = () => gate.requests.filter(isTransition).map(each => each.headers['sw-skip-trigger-flow'])
  return {...seeded, env, ask, skipped}
}

test('--skip-flows is of the plan, and its question, its run and its report say so', async () => {
  const {ask, plan, home, env, skipped} = await prepare()
  const run = (...words: string[]) => storectl(words, {home, env})
  const planned = await ask('--plan', plan, '--skip-flows')
  expect(planned.stderr).toContain(
    'Flows are skipped: no e-mails to customers; webhooks and plugins of the shop still run',
  )
  // The provider cannot be asked to leave flows out.
  expect(readFileSync(plan, 'utf8')).toContain('"repair":{"way":"transition"')
  const asked = await ask('--apply', plan)
  expect([asked.exit, asked.stderr]).toEqual([
    2,
    expect.stringMatching(/repair 1 payment of .* \([\d.]+ EUR\); flows are skipped/),
  ])
  const applied = await ask('--apply', plan, '--yes', '-o', 'json')
  expect(JSON.parse(applied.stdout)).toMatchObject([
    {
      result: 'applied',
      orderNumber: expect.stringMatching(/\d/),
      amount: {value: expect.stringMatching(/^\d+\.\d\d$/), currency: 'EUR'},
    },
  ])
  expect(skipped()).toEqual(['1'])
  const shown = JSON.parse((await run('run', 'show', 'last', '-o', 'json')).stdout)
  expect(shown).toMatchObject({flows: 'skipped'})
  const report = JSON.parse((await run('run', 'export', 'last', '--format', 'json')).stdout)
  const [{orderNumber, amount}] = JSON.parse(applied.stdout)
  expect(JSON.stringify(report)).toContain(`"order":"${orderNumber}"`)
  expect(JSON.stringify(report)).toContain(`"amount":${JSON.stringify(amount)}`)
})

test('without it the plan and the question say how many customers may get an e-mail', async () => {
  const {ask, plan} = await prepare()
  const words = 'lows run: up to 1 customer may get e-mails'
  expect((await ask('--plan', plan)).stderr).toContain(`F${words}; --skip-flows prevents them`)
  expect((await ask('--apply', plan)).stderr).toContain(`; f${words}`)
  const both = await ask('--apply', plan, '--skip-flows')
  expect(both).toMatchObject({exit: 2, stderr: expect.stringContaining('--plan FILE --skip-flows')})
})

/** Makes a plan's hash anew after an edit. */
function edit(plan: string, change: (text: string) => string): void {
  const lines = readFileSync(plan, 'utf8').trimEnd().split('\n')
  const end = JSON.parse(lines.pop() ?? '')
  const text = change(`${lines.join('\n')}\n`)
  const hash = createHash('sha256').update(text).digest('hex')
  writeFileSync(plan, `${text}${JSON.stringify({...end, hash})}\n`)
}

test('a plan whose hash was made anew moves no money back without the flag, and nothing by a made-up step', async () => {
  const {reconcile, apply, plan, shop} = await seedPaymentShop(80, 0.1)
  await reconcile('--plan', plan, '--where', 'state = "paid"')
  const backs = readFileSync(plan, 'utf8')
    .split('\n')
    .flatMap(line => {
      const {kind, transaction} = JSON.parse(line || '{}')
      return kind === 'unknown-at-provider' ? [transaction as string] : []
    })
  expect(backs.length).toBeGreaterThan(0)
  edit(plan, text =>
    text
      .replaceAll('"unknown-at-provider"', '"refund-missed"')
      .replaceAll('"movesBack":true', '"movesBack":false'),
  )
  await apply('--yes')
  edit(plan, text =>
    text.replaceAll(/"repair":\{[^}]*\}/g, '"repair":{"way":"transition","action":"cancel"}'),
  )
  await apply('--yes')
  for (const transaction of backs) expect(await stateOf(shop, transaction)).toBe('paid')
  edit(plan, text => text.replace(/"repair":\{[^}]*\}/, '"repair":{"way":"guess"}'))
  expect(await apply('--yes')).toMatchObject({exit: 2, stderr: expect.stringContaining('was edited')})
})

test('--grace-period 0 of a repair makes a call that was given up unknown at once', async () => {
  const {ask, plan} = await prepare(request => (isTransition(request) ? 504 : undefined))
  await ask('--plan', plan, '--skip-flows')
  const {stdout} = await ask('--apply', plan, '--yes', '--grace-period', '0', '-o', 'json')
  expect(JSON.parse(stdout)).toMatchObject([{result: 'unknown', status: 504, attempts: 1}])
})
