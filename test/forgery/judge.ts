import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {runCapture} from '../gateway/support.js'
import {Random} from '../simulation/random.js'
import {timeAgo} from '../support/clock.js'
import {endpoint} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {createSigner} from '../support/signed.js'
import {storectl} from '../support/storectl.js'
import {TOKEN, testShop, transactionId} from '../webhook/support.js'
import {type DrawnEvent, drawSeed} from './draw.js'

/** What came of the seeds of one shop, by the shop's own record. */
export interface Judged {
  readonly seeds: number
  /** Attacks that the shop got from us, with how they came. */
  readonly sent: readonly string[]
  /** Honest events that wait for a person, with how they came. */
  readonly held: readonly string[]
  readonly honest: number
  readonly attacks: number
}

/** A provider that knows some events, signs, and has its certificate. */
async function openProvider(signer: ReturnType<typeof createSigner>) {
  const known = new Map<string, object>()
  const {url} = await endpoint(({url: path}) => {
    if (path === '/v1/oauth2/token') return {body: {access_token: 'token', expires_in: 32_400}}
    if (path.startsWith('/v1/notifications/certs/'))
      return {body: signer.certificate, headers: {'content-type': 'text/plain'}}
    if (path === '/v1/notifications/webhooks') return {body: {webhooks: [{id: 'WH1'}]}}
    const [, id] = /webhooks-events\/([^?]+)$/.exec(path) ?? []
    const listed = (event: object) => ({
      ...event,
      status: 'FAILURE',
      transmissions: [{webhook_url: 'https://shop.example/?sw-token=x'}],
    })
    if (id !== undefined)
      return known.has(id) ? {body: listed(known.get(id) as object)} : {status: 404, body: {}}
    return {body: {events: [...known.values()].map(listed), links: []}}
  })
  return {url, list: (body: string) => void known.set(JSON.parse(body).id, JSON.parse(body))}
}

/** Brings the events of some seeds through every way in, replays all of them, and asks the shop what it got. */
export async function judgeSeeds(from: number, seeds: number): Promise<Judged> {
  const home = temporaryFolder()
  const signer = createSigner()
  const provider = await openProvider(signer)
  const all = Array.from({length: seeds}, (_, at) => at)
  const shop = await testShop(Object.fromEntries(all.map(at => [transactionId(at), 'open'])))
  const authority = join(home, 'authority.pem')
  writeFileSync(authority, signer.authority)
  const env = {
    ...{...shop.env, STORECTL_CA_FILE: authority, STORECTL_PROVIDER_URL: provider.url},
    ...{STORECTL_PROVIDER_CLIENT_ID: 'id', STORECTL_PROVIDER_CLIENT_SECRET: 'secret-of-the-provider'},
  }
  const drawn = all.flatMap(at => {
    const random = new Random(from + at)
    const now = new Date(timeAgo(3_600_000))
    const sign = (body: string, when: Date) => signer.sign(Buffer.from(body), {api: provider.url, at: when})
    return drawSeed(random, {
      token: TOKEN,
      transaction: transactionId(at),
      sign,
      list: provider.list,
      at: now,
    })
  })
  await sendCalls(drawn, shop.url, {home, env})
  shop.received.length = 0
  const files = drawn.flatMap(({file}, at) => {
    if (file === undefined) return []
    const path = join(home, `input-${at}.txt`)
    writeFileSync(path, file)
    return [path]
  })
  const imported = await storectl(['webhook', 'import', ...files], {home, env})
  expect([0, 3]).toContain(imported.exit)
  const limits = [
    '--max',
    'none',
    '--canary',
    '0',
    '--breaker-failures',
    '0',
    '--breaker-rate',
    '0',
    '--rate',
    '0',
  ]
  const plan = join(home, 'all.plan')
  await storectl(['webhook', 'replay', '--plan', plan, ...limits], {home, env})
  await expectEditedPlanRefused(plan, {home, env})
  await storectl(['webhook', 'verify'], {home, env})
  await storectl(['webhook', 'replay', '--yes', ...limits], {home, env})
  await storectl(['run', 'resume', 'last', '--yes'], {home, env})
  return judge(
    drawn,
    shop.received.flatMap(({url, body}) => (url.includes('/webhook/execute') ? [JSON.parse(body)] : [])),
    seeds,
  )
}

/** Calls to a capture in front of the shop. */
async function sendCalls(
  drawn: readonly DrawnEvent[],
  url: string,
  given: {home: string; env: Record<string, string>},
) {
  const calls = drawn.flatMap(({call}) => call ?? [])
  if (calls.length === 0) return
  const capture = await runCapture(url, ['--forward-to', 'none'], given)
  for (const {body, token = '', headers} of calls)
    await capture.send(body, {token, headers: ['Content-Type', 'application/json', ...headers.flat()]})
  capture.interrupt()
  await capture.ended
}

/** What a plan holds cannot be made to be sent by an editor. */
async function expectEditedPlanRefused(plan: string, given: {home: string; env: Record<string, string>}) {
  const text = readFileSync(plan, 'utf8')
  if (!text.includes('"action":"hold"')) return
  writeFileSync(plan, text.replaceAll('"action":"hold"', '"action":"send"'))
  const {exit} = await storectl(['webhook', 'replay', '--apply', plan, '--yes', '--max', 'none'], given)
  expect(exit).toBe(2)
}

interface Received {
  readonly id: string
  readonly resource: {readonly amount: {readonly value: string}}
}

function judge(drawn: readonly DrawnEvent[], received: readonly Received[], seeds: number): Judged {
  const got = new Set(received.map(({id, resource}) => `${id} ${resource.amount.value}`))
  const isGot = ({id, amount}: DrawnEvent) => got.has(`${id} ${amount}`)
  const [honest, attacks] = [drawn.filter(each => each.isHonest), drawn.filter(each => !each.isHonest)]
  return {
    seeds,
    sent: attacks.filter(isGot).map(({kind}) => kind),
    held: honest.filter(each => !isGot(each)).map(({kind}) => kind),
    honest: honest.length,
    attacks: attacks.length,
  }
}
