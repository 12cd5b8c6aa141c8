import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {SkippingClock, StoppedClock} from '../../support/clock.js'
import {signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {errorBody, type OrderShopOptions, orderOf, orderShop, ordersOf} from '../../support/order-shop.js'
import {type Ended, storectl} from '../../support/storectl.js'

interface Given {
  readonly shop?: OrderShopOptions
  readonly flags?: string[]
}

/** Submits orders from stdin to a shop of the test's own, as often as `again` is called. */
async function submitting(orders: unknown, {shop: options = {}, flags = []}: Given = {}) {
  const shop = await orderShop(options)
  const home = temporaryFolder()
  const run = (input: unknown = orders, more: string[] = []) =>
    storectl(['order', 'submit', '-', '--yes', '-o', 'ndjson', ...flags, ...more], {
      env: signedInTo(shop.url),
      home,
      clock: new SkippingClock(),
      stdin: typeof input === 'string' ? input : JSON.stringify(input),
    })
  return {shop, home, run, first: await run()}
}

function rows({stdout}: Ended): {reference: string; status: string; detail: string; attempts: number}[] {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

const statuses = (ended: Ended) => rows(ended).map(({reference, status}) => `${reference} ${status}`)

test('every order is sent once and reported in the order of the input', async () => {
  const {shop, first} = await submitting(ordersOf(50), {flags: ['--concurrency', '7']})
  expect(first.exit).toBe(0)
  expect(statuses(first)).toEqual(ordersOf(50).map(({reference}) => `${reference} created`))
  expect(shop.sent().sort()).toEqual(
    ordersOf(50)
      .map(({reference}) => reference)
      .sort(),
  )
  expect(first.stderr).toMatch(/^50 orders: 50 created \(run [0-9a-z]{16}\)\n$/)
})

test('JSON is sent byte for byte, under a key that is always the same', async () => {
  const text = JSON.stringify(orderOf('A-1', {customFields: {price: 1}}), null, 2).replace('1\n', '1.10\n')
  const {shop, run} = await submitting(text)
  const other = await submitting(text)
  shop.orders.clear()
  await run(JSON.stringify(JSON.parse(text)))
  shop.orders.clear()
  await run(JSON.stringify({...JSON.parse(text), note: 'another content'}))
  expect(shop.received[0]?.body).toBe(text)
  const keysOf = ({received}: typeof shop) =>
    received.flatMap(({url, headers}) => (url.includes('search') ? [] : String(headers['idempotency-key'])))
  const [first, same, changed] = keysOf(shop)
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(same).toBe(first)
  expect(changed).not.toBe(first)
  expect(keysOf(other.shop)).not.toContain(first)
})

test('nothing is sent when one order is wrong, and its place is named', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'orders.ndjson')
  const wrong = orderOf('R-2', {shipTo: {...orderOf('R-2').shipTo, country: 'Germany'}})
  writeFileSync(file, `${[orderOf('R-1'), wrong].map(order => JSON.stringify(order)).join('\n')}\n`)
  const shop = await orderShop()
  const {exit, stdout, stderr} = await storectl(['order', 'submit', file, '--yes'], {
    env: signedInTo(shop.url),
  })
  expect([exit, stdout, shop.received]).toEqual([2, '', []])
  expect(stderr).toContain(`${file}: 1 error in 2 orders; nothing was sent.`)
  const column = JSON.stringify(wrong).indexOf('"Germany"') + 1
  expect(stderr).toContain(`${file}:2:${column} shipTo.country: must be a country code`)
})

test('given again, only what the shop does not have is sent', async () => {
  const {shop, run} = await submitting(ordersOf(5))
  shop.orders.delete('R-3')
  const again = await run(ordersOf(6))
  expect(statuses(again)).toEqual([
    'R-1 exists',
    'R-2 exists',
    'R-3 created',
    'R-4 exists',
    'R-5 exists',
    'R-6 created',
  ])
  expect(shop.sent().slice(5).sort()).toEqual(['R-3', 'R-6'])
  expect(again.exit).toBe(0)
})

test('another content under a known reference is a conflict, shown with both', async () => {
  const {shop, run} = await submitting(ordersOf(2), {shop: {knowsReferences: true}})
  const changed = [orderOf('R-1', {note: 'hurry', lines: [{sku: 'X', quantity: 3}]}), orderOf('R-2')]
  const again = await run(changed)
  const told = 'lines[1].quantity is 2 in the shop and 3 here; note is not given in the shop and "hurry" here'
  expect(rows(again)[0]).toMatchObject({
    status: 'conflict',
    detail: told,
    attempts: 0,
    differences: [
      {field: 'lines[1].quantity', ours: 3, theirs: 2},
      {field: 'note', ours: 'hurry'},
    ],
  })
  expect(rows(again)[1]).toMatchObject({differences: null})
  expect(again.exit).toBe(3)
  const elsewhere = await storectl(['order', 'submit', '-', '--yes', '-o', 'ndjson'], {
    env: signedInTo(shop.url),
    stdin: JSON.stringify(changed[0]),
  })
  expect(rows(elsewhere)[0]).toMatchObject({status: 'conflict', detail: told, attempts: 1, httpStatus: 409})
  expect(elsewhere.exit).toBe(5)
})

test.each([
  [
    'an order that it has not',
    {status: '422', hasSearch: true},
    ['rejected', 'FULFILLMENT__NO said so; it has no order under the reference'],
  ],
  [
    'an order that nobody can ask for',
    {status: '409', hasSearch: false},
    ['conflict', 'FULFILLMENT__NO said so; it cannot look up references'],
  ],
] as const)('a shop that says conflict about %s is quoted, with what is known', async (_, says, told) => {
  const {status, hasSearch} = says
  const body = errorBody(status, 'FULFILLMENT__NO', 'said so')
  const {first} = await submitting(ordersOf(1), {
    shop: {hasSearch, instead: () => ({status: Number(status), body})},
  })
  expect([rows(first)[0]?.status, rows(first)[0]?.detail]).toEqual(told)
  expect(first.exit).toBe(5)
})

test('a conflict that does not show is said to be one all the same', async () => {
  const body = errorBody('409', 'FULFILLMENT__NO', 'said so')
  const {shop, run} = await submitting([], {shop: {instead: () => ({status: 409, body})}})
  shop.orders.set('R-1', orderOf('R-1'))
  expect(rows(await run(ordersOf(1)))[0]).toMatchObject({
    status: 'conflict',
    detail: 'FULFILLMENT__NO said so; its order does not differ',
  })
})

test('a lost answer is looked up, and the order is not sent again', async () => {
  const {shop, first} = await submitting(ordersOf(3), {
    shop: {after: reference => (reference === 'R-2' ? {reset: true} : undefined)},
  })
  expect(statuses(first)).toEqual(['R-1 created', 'R-2 created', 'R-3 created'])
  expect(rows(first)[1]).toMatchObject({attempts: 1, detail: 'looked up: the shop has it'})
  expect(shop.sent()).toHaveLength(3)
  expect(shop.looks()).toHaveLength(1)
})

test('looks come before every second send', async () => {
  const lost = new Map([
    ['R-1', 502],
    ['R-2', 503],
    ['R-3', 429],
  ])
  const {shop, first} = await submitting(ordersOf(4), {
    shop: {
      instead: reference => {
        const status = lost.get(reference)
        lost.delete(reference)
        return status === undefined ? undefined : {status, body: ''}
      },
    },
  })
  expect(first.exit).toBe(0)
  expect(rows(first).map(({attempts}) => attempts)).toEqual([2, 2, 2, 1])
  const seen: string[] = []
  for (const {url, body} of shop.received) {
    if (url.includes('search'))
      seen.push(...JSON.parse(body).filter[0].value.map((each: string) => `look ${each}`))
    else {
      const {reference} = JSON.parse(body)
      const last = seen.lastIndexOf(reference)
      if (last >= 0) expect(seen.slice(last)).toContain(`look ${reference}`)
      seen.push(reference)
    }
  }
})

test('without a way to look, a lost answer stays unknown, and the next run does not send it either', async () => {
  const options: OrderShopOptions = {
    hasSearch: false,
    after: reference => (reference === 'R-2' ? {reset: true} : undefined),
  }
  const {shop, first, run} = await submitting(ordersOf(3), {shop: options})
  expect(statuses(first)).toEqual(['R-1 created', 'R-2 unknown', 'R-3 created'])
  expect(first.exit).toBe(6)
  expect(first.stderr).toContain('the shop may have: R-2')
  expect(statuses(await run())).toEqual(['R-1 exists', 'R-2 unknown', 'R-3 exists'])
  expect(shop.sent()).toHaveLength(3)
})

test('unless the shop is known to honour the key', async () => {
  let isLost = true
  const after = () => {
    const reply = isLost ? ({reset: true} as const) : undefined
    isLost = false
    return reply
  }
  const {first} = await submitting([orderOf('R-1')], {
    shop: {hasSearch: false, knowsReferences: true, after},
    flags: ['--trust-key'],
  })
  expect(rows(first)[0]).toMatchObject({status: 'exists', attempts: 2})
  expect(first.exit).toBe(0)
})

test('what the shop refuses is told in its words: 3 when some stand, 5 when none does', async () => {
  const refuse = (which: (reference: string) => boolean): OrderShopOptions => ({
    instead: reference =>
      which(reference)
        ? {
            status: 400,
            body: errorBody('400', 'FULFILLMENT__INVALID_FIELD', 'no such article', '/lines/0/sku'),
          }
        : undefined,
  })
  const some = await submitting(ordersOf(2), {shop: refuse(reference => reference === 'R-1')})
  expect(rows(some.first)[0]).toMatchObject({
    status: 'rejected',
    httpStatus: 400,
    detail: 'FULFILLMENT__INVALID_FIELD no such article (at /lines/0/sku)',
  })
  expect(some.first.exit).toBe(3)
  expect((await submitting(ordersOf(2), {shop: refuse(() => true)})).first.exit).toBe(5)
})

test('a refused token stops the run at once, exit 4', async () => {
  const {shop, first} = await submitting(ordersOf(100), {
    shop: {
      instead: () => ({status: 403, body: errorBody('403', 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', '{}')}),
    },
    flags: ['--concurrency', '1'],
  })
  expect(first.exit).toBe(4)
  expect(shop.sent()).toHaveLength(1)
  expect(first.stderr).toContain('100 orders: 1 failed, 99 not sent')
})

test('too many failures stop the run, exit 7', async () => {
  const {shop, first} = await submitting(ordersOf(100), {
    shop: {instead: () => ({status: 400, body: errorBody('400', 'FULFILLMENT__INVALID_FIELD', 'no')})},
    flags: ['--concurrency', '1', '--max-failures', '3'],
  })
  expect(first.exit).toBe(7)
  expect(shop.sent()).toHaveLength(4)
})

test('a shop that is away: exit 6, and the same command carries on later', async () => {
  let isAway = true
  const {first, run} = await submitting(ordersOf(2), {
    shop: {instead: () => (isAway ? {status: 503, body: ''} : undefined)},
    flags: ['--retries', '0'],
  })
  expect(statuses(first)).toEqual(['R-1 failed', 'R-2 failed'])
  expect(first.exit).toBe(6)
  isAway = false
  expect(statuses(await run())).toEqual(['R-1 created', 'R-2 created'])
})

test('--dry-run looks and sends nothing', async () => {
  const {shop, run} = await submitting([orderOf('R-1')])
  const dry = await run([orderOf('R-1'), orderOf('R-2')], ['--dry-run'])
  expect(statuses(dry)).toEqual(['R-1 exists', 'R-2 new'])
  expect(dry.stderr).toBe('2 orders: 1 already existed, 1 new; nothing was sent\n')
  expect(shop.sent()).toEqual(['R-1'])
})

test('--dry-run asks first whether the shop takes orders, and submits none for that', async () => {
  const asked: string[] = []
  const shop = await endpoint(({method, url}) => {
    asked.push(`${method} ${url}`)
    return {status: 404, body: errorBody('404', '0', 'No route found')}
  })
  const {exit, stdout, stderr} = await storectl(['order', 'submit', '-', '--dry-run'], {
    env: signedInTo(shop.url),
    stdin: JSON.stringify(ordersOf(1)),
  })
  expect([exit, stdout]).toEqual([5, ''])
  expect(stderr).toContain('has no route for fulfillment orders')
  expect(asked).toEqual(['GET /api/fulfillment/order'])
})

test('--dry-run says nothing of orders that it could not look for', async () => {
  const shop = await endpoint(() => ({status: 503}))
  const {exit, stdout, stderr} = await storectl(['order', 'submit', '-', '--dry-run'], {
    env: signedInTo(shop.url),
    stdin: JSON.stringify(ordersOf(2)),
    clock: new StoppedClock(),
  })
  expect([exit, stdout]).toEqual([6, ''])
  expect(stderr).toContain('503')
})

test('a shop without the route rejects all: exit 5, and no advice to resume', async () => {
  const {shop, first} = await submitting(ordersOf(3), {
    shop: {instead: () => ({status: 404, body: errorBody('404', '0', 'No route found')})},
    flags: ['--concurrency', '1'],
  })
  expect(first.exit).toBe(5)
  expect(shop.sent()).toHaveLength(1)
  expect(first.stderr).toContain('has no route for fulfillment orders')
  expect(first.stderr).not.toContain('run resume')
})

test('--max-failures none lets any number fail, 0 none at all', async () => {
  const refuse = {instead: () => ({status: 400, body: errorBody('400', 'FULFILLMENT__INVALID_FIELD', 'no')})}
  const flags = ['--concurrency', '1', '--max-failures']
  const any = await submitting(ordersOf(3), {shop: refuse, flags: [...flags, 'none']})
  expect([any.first.exit, any.shop.sent().length]).toEqual([5, 3])
  const none = await submitting(ordersOf(3), {shop: refuse, flags: [...flags, '0']})
  expect([none.first.exit, none.shop.sent().length]).toEqual([7, 1])
})

test('a shop that is away after a lost answer: looked for again and again, and never sent blindly', async () => {
  let sent = 0
  const shop = await endpoint(({url}) => {
    if (url.includes('search')) return {status: 503}
    sent++
    return {reset: true}
  })
  const {exit, stdout} = await storectl(['order', 'submit', '-', '--yes', '-o', 'ndjson'], {
    env: signedInTo(shop.url),
    stdin: JSON.stringify(ordersOf(1)),
    clock: new StoppedClock(),
  })
  expect([exit, sent, JSON.parse(stdout).status]).toEqual([6, 1, 'unknown'])
  expect(shop.received.length).toBeGreaterThan(8)
})

test('a shop that keeps silent is asked for the order as often as a lost call is looked for', async () => {
  const shop = await endpoint(() => ({silence: true}))
  const {exit, stdout} = await storectl(
    ['order', 'submit', '-', '--yes', '--timeout', '300ms', '-o', 'ndjson'],
    {
      env: signedInTo(shop.url),
      stdin: JSON.stringify(orderOf('R-1')),
      clock: new StoppedClock(),
    },
  )
  expect(JSON.parse(stdout)).toMatchObject({status: 'unknown', attempts: 1})
  expect(exit).toBe(6)
  const searches = shop.received.filter(({url}) => url.includes('search'))
  expect([shop.received.length, searches.length]).toEqual([8, 7])
})

test('an answer that is no shop\u2019s does not pass for a look', async () => {
  const shop = await endpoint(({url}) =>
    url.includes('search') ? {body: '<html>hello</html>'} : {reset: true},
  )
  const {exit, stdout} = await storectl(['order', 'submit', '-', '--yes', '-o', 'ndjson'], {
    env: signedInTo(shop.url),
    stdin: JSON.stringify(ordersOf(1)),
  })
  expect([exit, JSON.parse(stdout).status]).toEqual([6, 'unknown'])
})

test('no order is nothing to do', async () => {
  const {shop, first} = await submitting([])
  expect([first.exit, first.stdout, shop.received]).toEqual([0, '', []])
})

test('without agreement nothing is sent, and what was spooled is gone', async () => {
  const shop = await orderShop()
  const home = temporaryFolder()
  const given = {env: signedInTo(shop.url), home, stdin: JSON.stringify(ordersOf(2))}
  const {exit, stderr} = await storectl(['order', 'submit', '-'], given)
  expect(exit).toBe(2)
  expect(stderr).toContain('--yes')
  expect(shop.received).toEqual([])
  expect(readdirSync(home).filter(name => name.startsWith('spool'))).toEqual([])
})

test('a person is asked on a terminal, and sees a table and a summary', async () => {
  const shop = await orderShop()
  const given = {env: signedInTo(shop.url), stdin: JSON.stringify(ordersOf(2)), terminal: true, columns: 120}
  const {exit, stdout, stderr} = await storectl(['order', 'submit', '-'], {...given, answers: [true]})
  expect(exit).toBe(0)
  expect(stdout).toMatch(/^REFERENCE {2}STATUS/)
  expect(stderr).toContain('2 orders: 2 created')
  expect((await storectl(['order', 'submit', '-'], {...given, answers: [false]})).exit).toBe(7)
})

test('a person sees failures once more in a table of their own, conflicts with both contents', async () => {
  const body = errorBody('400', 'FULFILLMENT__INVALID_FIELD', 'no such SKU')
  const shop = await orderShop({
    knowsReferences: true,
    instead: reference => (reference === 'R-4' ? {status: 400, body} : undefined),
  })
  shop.orders.set('R-2', orderOf('R-2', {note: 'theirs', shipTo: {...orderOf('R-2').shipTo, city: 'Ulm'}}))
  const given = {env: signedInTo(shop.url), terminal: true, columns: 160}
  const stdin = JSON.stringify(ordersOf(5))
  const {exit, stdout, stderr} = await storectl(['order', 'submit', '-', '--yes'], {...given, stdin})
  expect(exit).toBe(3)
  expect(stdout.trimEnd().split('\n')).toHaveLength(6)
  const [, table = ''] = stderr.split('\n\n')[0]?.split(/^(?=FAILED)/m) ?? []
  const lines = table.split('\n').map(line => line.replace(/ {2,}/g, ' | '))
  expect(lines).toEqual([
    'FAILED | STATUS | DETAIL',
    `R-2 | conflict | shipTo.city is "Ulm" in the shop and "${orderOf('R-2').shipTo.city}" here`,
    'R-2 | conflict | note is "theirs" in the shop and not given here',
    'R-4 | rejected | FULFILLMENT__INVALID_FIELD no such SKU',
  ])
  expect(stderr).toMatch(/\n\n5 orders: 3 created, 1 rejected, 1 conflict/)
  const all = await storectl(['order', 'submit', '-', '--yes'], {
    ...given,
    stdin: JSON.stringify(orderOf('R-4')),
  })
  expect(all.stderr).not.toContain('FAILED')
  const piped = await storectl(['order', 'submit', '-', '--yes'], {env: given.env, stdin})
  expect(piped.stderr).not.toContain('FAILED')
})

test('a table does not end with thousands of orders that were not sent', async () => {
  const shop = await orderShop({instead: () => ({status: 401, body: errorBody('401', '9', 'no')})})
  const words = ['order', 'submit', '-', '--yes', '--concurrency', '1']
  const given = {env: signedInTo(shop.url), stdin: JSON.stringify(ordersOf(1000))}
  const seen = await storectl(words, {...given, terminal: true, columns: 160})
  expect(seen.stdout.trimEnd().split('\n')).toHaveLength(1 + 1 + 100)
  expect(seen.stderr).toContain('1,000 orders: 1 failed, 999 not sent')
  const piped = await storectl(words, given)
  expect(piped.stdout.trimEnd().split('\n')).toHaveLength(1 + 1000)
  expect([seen.exit, piped.exit]).toEqual([4, 4])
})
