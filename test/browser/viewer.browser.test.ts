import type {ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import type {Browser, BrowserContext} from 'playwright-core'
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import type {Started} from '../../src/shop/index.js'
import {startProcess} from '../support/process.js'
import {done, execute, openBrowser, openPage, signIn, tryOut, type WatchedPage} from './page.js'

type Credentials = NonNullable<Started['credentials']>

let home: string
let server: ChildProcess
let url: string
let credentials: Credentials
let browser: Browser
let context: BrowserContext
let watched: WatchedPage

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'browser-'))
  server = startProcess(['server', 'start', '-o', 'json', '--log-level', 'silent'], {
    env: {STORECTL_HOME: home},
  })
  if (!server.stdout) throw new Error('a server prints where it is')
  const [line] = await once(createInterface(server.stdout), 'line')
  const started = JSON.parse(line) as Started
  url = started.url
  credentials = started.credentials as Credentials
  browser = await openBrowser()
  context = await browser.newContext()
})
afterAll(async () => {
  await browser?.close()
  server?.kill('SIGTERM')
  await once(server, 'close')
  await rm(home, {recursive: true, force: true})
})

beforeEach(async () => {
  watched = await openPage(context, url)
})
/** Whatever was done, nobody else was asked, and nothing was wrong. */
afterEach(async () => {
  await watched.close()
  expect(watched.elsewhere).toEqual([])
  expect(watched.complaints).toEqual([])
})

const byIntegration = () =>
  signIn(watched.page, 'clientCredentials', {
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
  })

describe('reading', () => {
  test('shows the chapters, the first of them unfolded, with what each operation does', async () => {
    const {page} = watched
    expect(await page.title()).toBe("The bundled shop's API")
    const chapters = await page.locator('.opblock-tag').evaluateAll(all => all.map(one => one.id))
    expect(chapters.slice(0, 4)).toEqual([
      'operations-tag-Access_token',
      'operations-tag-Customers',
      'operations-tag-Fulfillment_orders',
      'operations-tag-Payment_webhook',
    ])
    for (const summary of ['Get an access token', 'Search customers', 'Submit an order, exactly once'])
      await page.locator('#page').getByText(summary, {exact: true}).waitFor()
    expect(await page.getByText('List fault injection rules').count()).toBe(0)
  })

  test('opens with the four operations, and copies the command of each', async () => {
    const {page} = watched
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], {origin: url})
    const titles = await page.locator('.command h2').allInnerTexts()
    expect(titles.slice(1)).toEqual([
      'Get an access token',
      'Deliver a payment event',
      'Submit a fulfillment order',
      'Search customers',
    ])
    await page.getByRole('button', {name: 'Copy: Search customers'}).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl -s http:.*search\/customer/)
  })

  test('says what an operation takes and answers, and leads to one by its address', async () => {
    const {page} = watched
    await page.goto(`${url}/#/Fulfillment%20orders/submitFulfillmentOrder`)
    await page.reload()
    const operation = page.locator('[id="operations-Fulfillment_orders-submitFulfillmentOrder"]')
    await operation.locator('.responses-table').waitFor()
    const text = await operation.innerText()
    expect(text).toContain('Idempotency-Key')
    expect(text).toContain('The reference belongs to an order with other content')
    expect(text).toContain('"sku": "SW-1001"')
  })

  test('fits a narrow screen, and follows the colours that are wished for', async () => {
    const {page} = watched
    await page.emulateMedia({colorScheme: 'dark'})
    await page.setViewportSize({width: 360, height: 740})
    await page.locator('[id="operations-Customers-searchCustomer"] .opblock-summary-control').click()
    await page.locator('.responses-table').waitFor()
    const {wide, dark} = (await page.evaluate(
      `({wide: document.documentElement.scrollWidth - window.innerWidth,
         dark: document.documentElement.classList.contains('dark-mode')})`,
    )) as {wide: number; dark: boolean}
    expect({wide: Math.max(wide, 0), dark}).toEqual({wide: 0, dark: true})
  })
})

describe('signing in', () => {
  const searchCustomers = async () => execute(await tryOut(watched.page, 'Customers', 'searchCustomer'))

  test('as an integration, and out again', async () => {
    const form = await byIntegration()
    await form.getByText('Authorized').waitFor()
    await done(watched.page)
    const {status, body, headers} = await searchCustomers()
    expect([status, JSON.parse(body)]).toEqual(['200', {total: 0, data: [], aggregations: []}])
    expect(headers).toMatch(/content-type: application\/json\b/)
  })

  test.each(['basic', 'request-body'])('as a person, the client going by %s', async passwordType => {
    const {username, password} = credentials
    const form = await signIn(watched.page, 'Flow: password', {username, password, passwordType})
    await form.getByText('Authorized').waitFor()
    await done(watched.page)
    expect((await searchCustomers()).status).toBe('200')
  })

  test('with a token that one has already', async () => {
    const answer = await fetch(`${url}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
      }),
    })
    const {access_token} = (await answer.json()) as {access_token: string}
    await signIn(watched.page, '(http, Bearer)', {'auth-bearer-value': access_token})
    await done(watched.page)
    expect((await searchCustomers()).status).toBe('200')
  })

  test('with a wrong secret is refused in words, and may be tried again', async () => {
    const form = await signIn(watched.page, 'clientCredentials', {
      clientId: credentials.clientId,
      clientSecret: 'wrong',
    })
    await form.getByText('Unauthorized').waitFor()
    await form.locator('[data-name="clientSecret"]').fill(credentials.clientSecret)
    await form.getByRole('button', {name: /^Apply/}).click()
    await form.getByText('Authorized', {exact: false}).first().waitFor()
    // The browser itself notes every answer of 400 and above.
    expect(watched.complaints.splice(0)).toEqual([expect.stringContaining('401')])
  })

  test('is what an operation wants, and says so', async () => {
    const {status, body} = await searchCustomers()
    expect([status, JSON.parse(body).errors[0].detail]).toEqual(['401', 'Missing "Authorization" header'])
    expect(watched.complaints.splice(0)).toEqual([expect.stringContaining('401')])
  })
})

describe('trying', () => {
  test('a token, by a form', async () => {
    const operation = await tryOut(watched.page, 'Access token', 'token')
    await operation.getByPlaceholder('client_id').fill(credentials.clientId)
    await operation.getByPlaceholder('client_secret').fill(credentials.clientSecret)
    const {status, body} = await execute(operation)
    expect([status, JSON.parse(body).token_type]).toEqual(['200', 'Bearer'])
  })

  test('a fulfillment order, which is made once', async () => {
    await byIntegration()
    await done(watched.page)
    const operation = await tryOut(watched.page, 'Fulfillment orders', 'submitFulfillmentOrder')
    const first = await execute(operation)
    expect([first.status, JSON.parse(first.body)]).toEqual([
      '200',
      expect.objectContaining({reference: 'EXAMPLE-1', status: 'received'}),
    ])
    expect(first.headers).not.toContain('idempotency-replayed')
    await operation.getByRole('button', {name: 'Clear'}).click()
    const second = await execute(operation)
    expect(JSON.parse(second.body)).toEqual(JSON.parse(first.body))
  })

  test('a notification for a payment of an order that was made here', async () => {
    const {page} = watched
    await byIntegration()
    await done(page)
    await page.locator('[id="operations-tag-Orders"]').click()
    expect((await execute(await tryOut(page, 'Orders', 'createOrder'))).status).toBe('204')
    const webhook = await tryOut(page, 'Payment webhook', 'executeWebhook')
    await webhook.getByPlaceholder('sw-token').fill(credentials.webhookToken)
    expect((await execute(webhook)).status).toBe('200')
    await webhook.locator('.examples-select select').first().selectOption({index: 1})
    await webhook.getByRole('button', {name: 'Clear'}).click()
    expect((await execute(webhook)).status).toBe('200')
    const state = await tryOut(page, 'Orders', 'listTransitionsOfOrderTransaction')
    expect(JSON.parse((await execute(state)).body).transitions[0].fromStateName).toBe('paid')
  })
})
