import {join} from 'node:path'
import {expect, test} from 'vitest'
import {readTextIfThere, writeWhole} from '../../../src/platform/files/files.js'
import {ensureProviderIdentity, saveProviderAuthority} from '../../../src/shop/provider/signing/identity.js'
import {buildSignedHeaders} from '../../../src/shop/provider/signing/sign.js'
import {computeCrc32} from '../../../src/wire/signed-message.js'
import {runCapture} from '../../gateway/support.js'
import {currentTime, timeAgo} from '../../support/clock.js'
import {captureCompleted} from '../../support/events.js'
import {temporaryFolder} from '../../support/home.js'
import {addTransaction, stateOf, testShop} from '../../support/shop.js'
import {forgeChecksum} from '../../support/signed.js'
import {storectl} from '../../support/storectl.js'

/** A bundled shop with a registered webhook, and its provider's signature. */
async function signingShop() {
  const home = temporaryFolder()
  const shop = await testShop({dataFolder: join(home, 'shop')})
  const now = () => shop.clock.now()
  await saveProviderAuthority(shop.db, shop.dataFolder, {files: {readTextIfThere, writeWhole} as never, now})
  const identity = await ensureProviderIdentity(shop.db, now())
  const run = async (...words: string[]) => {
    const {exit, stdout, stderr} = await storectl([...words, '-o', 'ndjson'], {home})
    const rows = stdout.split('\n').filter(Boolean)
    return {exit, stderr, rows: rows.map(line => JSON.parse(line))}
  }
  await run('webhook', 'register', '--profile', 'local', '--yes')
  const {webhooks} = await listWebhooks(shop)
  const sign = (body: string | Uint8Array, webhookId = webhooks[0]?.id as string, at = currentTime()) => {
    const api = `${shop.url}/provider/paypal`
    return buildSignedHeaders({body: Buffer.from(body as string), webhookId, api, at}, identity)
  }
  return {home, shop, run, sign, webhookId: webhooks[0]?.id as string}
}

async function listWebhooks(shop: Awaited<ReturnType<typeof testShop>>) {
  const {providerClientId, providerClientSecret} = shop.credentials
  const basic = Buffer.from(`${providerClientId}:${providerClientSecret}`).toString('base64')
  const base = `${shop.url}/provider/paypal`
  const granted = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: {authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded'},
    body: 'grant_type=client_credentials',
  })
  const {access_token: token} = (await granted.json()) as {access_token: string}
  const headers = {authorization: `Bearer ${token}`}
  return (await (await fetch(`${base}/v1/notifications/webhooks`, {headers})).json()) as {
    webhooks: {id: string}[]
  }
}

const flat = (headers: Record<string, string>) => Object.entries(headers).flat()

test('events without the token that verify are sent; forged ones are not, and are named so', async () => {
  const {home, shop, run, sign} = await signingShop()
  const transactions = [await addTransaction(shop), await addTransaction(shop), await addTransaction(shop)]
  const bodies = transactions.map(
    (transactionId, at) =>
      captureCompleted({seed: at + 1, transactionId, createTime: timeAgo(3_600_000)}).body,
  )
  const [genuine = '', forged = '', swapped = ''] = bodies
  const capture = await runCapture(shop.url, ['--profile', 'local'], {
    home,
    env: {STORECTL_URL: undefined, STORECTL_WEBHOOK_TOKEN: undefined, STORECTL_TOKEN: undefined} as never,
  })
  const send = (body: string | Uint8Array, headers: Record<string, string>) =>
    capture.send(body, {token: 'x'.repeat(32), headers: flat(headers)})
  const headers = sign(genuine)
  await send(genuine, headers)
  await send(forged, {...sign(forged), 'paypal-transmission-sig': Buffer.alloc(256, 7).toString('base64')})
  await send(swapped, {...sign(swapped), 'paypal-cert-url': 'https://evil.example/CERT-1'})
  capture.interrupt()
  await capture.ended

  const [one, two, three] = bodies.map(body => JSON.parse(body).id as string)
  const {rows} = await run('webhook', 'list')
  expect(Object.fromEntries(rows.map(row => [row.id, [row.verification, row.sender]]))).toEqual({
    [one as string]: ['verified', 'verified'],
    [two as string]: ['forged', 'forged'],
    [three as string]: ['forged', 'forged'],
  })
  const causes = await run('webhook', 'diagnose')
  expect(causes.rows).toMatchObject([
    {cause: 'forged', count: 2, next: expect.stringContaining('webhook resolve --cause forged')},
    {cause: 'token-mismatch', count: 1},
  ])
  const [diagnosis] = (await run('webhook', 'diagnose', two as string)).rows
  expect(diagnosis.detail).toBe('The provider did not send it. A replay never sends it.')
  const replayed = await run(
    ...['webhook', 'replay', '--yes', '--profile', 'local', '--rate', 'none', '--include-wrong-token'],
  )
  expect(
    Object.fromEntries(replayed.rows.map(row => [row.id, [row.result, row.detail?.split(':')[0] ?? null]])),
  ).toEqual({
    [one as string]: ['applied', expect.anything()],
    [two as string]: ['held', 'forged'],
    [three as string]: ['held', 'forged'],
  })
  expect(await Promise.all(transactions.map(id => stateOf(shop, id)))).toEqual(['paid', 'open', 'open'])
})

test('a body with the same checksum under genuine headers is forged, once the genuine one was seen', async () => {
  const {home, shop, run, sign} = await signingShop()
  const {body, id} = captureCompleted({seed: 1, createTime: timeAgo(3_600_000)})
  const other = captureCompleted({seed: 2, createTime: timeAgo(3_600_000)})
  const forged = forgeChecksum(`${other.body} `, computeCrc32(Buffer.from(body)))
  const headers = sign(body)
  const capture = await runCapture(shop.url, ['--profile', 'local'], {
    home,
    env: {STORECTL_URL: undefined, STORECTL_WEBHOOK_TOKEN: undefined, STORECTL_TOKEN: undefined} as never,
  })
  const token = shop.credentials.webhookToken
  await capture.send(body, {token, headers: flat(headers)})
  await capture.send(forged, {token, headers: flat(headers)})
  capture.interrupt()
  await capture.ended
  const {rows} = await run('webhook', 'verify', '--no-summary')
  const result = Object.fromEntries(rows.map(row => [row.id, [row.verification, row.reason]]))
  expect(result[id]).toEqual(['verified', null])
  expect(Object.values(result)).toContainEqual(['forged', 'other-body'])
})

test('genuine headers of another time do not verify an event', async () => {
  const {home, shop, run, sign} = await signingShop()
  const today = captureCompleted({seed: 2, createTime: timeAgo(3_600_000)})
  const early = captureCompleted({seed: 3, createTime: timeAgo(3_600_000)})
  const inAnHour = new Date(currentTime().getTime() + 3_600_000)
  const capture = await runCapture(shop.url, ['--profile', 'local'], {
    home,
    env: {STORECTL_URL: undefined, STORECTL_WEBHOOK_TOKEN: undefined, STORECTL_TOKEN: undefined} as never,
  })
  const send = (body: string | Uint8Array, signed: Record<string, string>) =>
    capture.send(body, {token: 'x'.repeat(32), headers: flat(signed)})
  await send(today.body, sign(today.body, undefined, new Date(timeAgo(2 * 3_600_000))))
  await send(early.body, sign(early.body, undefined, inAnHour))
  // Three days of the provider's tries lie between this event and its arrival: that is no fault.
  const late = captureCompleted({seed: 4, createTime: timeAgo(3 * 86_400_000)})
  await send(late.body, sign(late.body, undefined, new Date(timeAgo(3 * 86_400_000 - 6000))))
  capture.interrupt()
  await capture.ended
  const {rows} = await run('webhook', 'verify', '--no-summary', '--offline')
  expect(Object.fromEntries(rows.map(row => [row.id, [row.sender, row.reason]]))).toEqual({
    [today.id]: ['wrong-token', 'other-time'],
    [early.id]: ['wrong-token', 'other-time'],
    [late.id]: ['verified', null],
  })
})

test('an event of another registration is not checked until its webhook id is known', async () => {
  const {home, run, sign} = await signingShop()
  const {body, id} = captureCompleted({seed: 1, createTime: timeAgo(3_600_000)})
  const file = join(home, 'request.ndjson')
  writeWhole(file, `${JSON.stringify({headers: sign(body, 'EARLIER'), body})}\n`)
  await run('webhook', 'import', file)
  const [listed] = (await run('webhook', 'list')).rows
  expect(listed).toMatchObject({verification: 'not-checked', verificationReason: 'other-registration'})
  const first = await run('webhook', 'verify')
  expect(first).toMatchObject({exit: 3, rows: [{verification: 'not-checked', reason: 'other-registration'}]})
  const second = await run('webhook', 'verify', id, '--webhook-id', 'EARLIER')
  expect(second).toMatchObject({exit: 0, rows: [{id, verification: 'verified', reason: null}]})
  expect((await run('webhook', 'verify', '--webhook-id', 'no id')).exit).toBe(2)
})

test('the provider is asked where its certificate is not trusted here', async () => {
  const {home, run, sign} = await signingShop()
  const {body} = captureCompleted({seed: 1, createTime: timeAgo(3_600_000)})
  writeWhole(join(home, 'shop', 'provider-ca.pem'), '')
  const file = join(home, 'request.ndjson')
  writeWhole(file, `${JSON.stringify({headers: sign(body), body})}\n`)
  await run('webhook', 'import', file)
  expect((await run('webhook', 'verify', '--offline')).rows).toMatchObject([{reason: 'invalid-certificate'}])
  expect((await run('webhook', 'verify')).rows).toMatchObject([{verification: 'verified'}])
})
