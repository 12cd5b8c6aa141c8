import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {readTextIfThere, writeWhole} from '../../src/platform/files/files.js'
import {parseFaultRule} from '../../src/shop/faults/parse.js'
import {generateWebhookToken} from '../../src/shop/oauth/secrets.js'
import {ensureProviderIdentity, saveProviderAuthority} from '../../src/shop/provider/signing/identity.js'
import {buildSignedHeaders} from '../../src/shop/provider/signing/sign.js'
import {streamDeliveries} from '../../src/shop/store/deliveries.js'
import {readConfig, writeConfig} from '../../src/shop/store/schema/system-config.js'
import {runCapture} from '../gateway/support.js'
import {currentTime, StoppedClock, timeAgo} from '../support/clock.js'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {addTransactions, stateOf, type TestShop, testShop} from '../support/shop.js'
import {type Ended, storectl} from '../support/storectl.js'

/** The six causes of the incident, in the order in which their events came. */
const CAUSES = [
  ...['unknown-transaction', 'already-final', 'shop-unavailable', 'out-of-order', 'forged', 'token-mismatch'],
] as const
type IncidentCause = (typeof CAUSES)[number]

/** States of the payments that events of a cause are about. */
const STATES: Partial<Record<IncidentCause, string>> = {
  'already-final': 'refunded',
  'out-of-order': 'refunded_partially',
}

interface SentEvent {
  readonly id: string
  readonly cause: IncidentCause
  readonly transactionId: string
}

/** The commands of the runbook, word by word. */
function readRunbookCommands(): string[][] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/runbooks/rotated-token.md'), 'utf8')
  const lines = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'))
  return lines
    .map(line => line.trim())
    .filter(line => line.startsWith('storectl '))
    .map(line =>
      [...line.matchAll(/"([^"]*)"|(\S+)/g)].slice(1).map(([, quoted, bare]) => quoted ?? bare ?? ''),
    )
}

/** Words of a dry run, and of the command that sends: how much the test hurries. */
interface IncidentOptions {
  readonly eventsPerCause: Readonly<Record<IncidentCause, number>>
  /** Added to the commands that replay. */
  readonly replayFlags: readonly string[]
}

export interface Incident {
  readonly shop: TestShop
  readonly events: readonly SentEvent[]
  /** How each command of the runbook ended. */
  readonly ends: readonly (Ended & {readonly words: readonly string[]})[]
  readonly home: string
}

/** A shop with a registered webhook, a capture in front of it, and an incident of six causes. */
export async function prepareIncident(
  eventsPerCause: IncidentOptions['eventsPerCause'],
): Promise<Pick<Incident, 'home' | 'shop' | 'events'>> {
  const home = temporaryFolder()
  const shop = await testShop({clock: new StoppedClock(currentTime().toISOString())})
  await signIn(home, shop)
  return {home, shop, events: await sendAll(home, shop, eventsPerCause)}
}

/** An incident, and then the runbook. */
export async function runIncident({eventsPerCause, replayFlags}: IncidentOptions): Promise<Incident> {
  const {home, shop, events} = await prepareIncident(eventsPerCause)
  const ends: (Ended & {readonly words: readonly string[]})[] = []
  for (const words of readRunbookCommands()) {
    const flags = words[1] === 'replay' ? replayFlags : []
    ends.push({...(await storectl([...words, ...flags], {home, folder: home})), words})
  }
  return {shop, events, ends, home}
}

/** Stores the profile `shop`, which trusts the authority of the bundled provider. */
async function signIn(home: string, shop: TestShop): Promise<void> {
  const {clientId, clientSecret, webhookToken, providerClientId, providerClientSecret} = shop.credentials
  const run = async (words: string[], stdin = '') => {
    const ended = await storectl(words, {home, stdin})
    expect(ended.exit, `${words.join(' ')}: ${ended.stderr}`).toBe(0)
  }
  await run(
    ['login', '--profile', 'shop', '--url', shop.url, '--client-id', clientId, '--client-secret-stdin'],
    clientSecret,
  )
  await run(['profile', 'set', 'shop', '--webhook-token-stdin'], webhookToken)
  const provider = ['--provider-url', `${shop.url}/provider/paypal`, '--provider-client-id', providerClientId]
  await run(['profile', 'set', 'shop', ...provider, '--provider-client-secret-stdin'], providerClientSecret)
  const files = {readTextIfThere, writeWhole} as never
  await saveProviderAuthority(shop.db, shop.dataFolder, {files, now: currentTime})
  await run(['config', 'set', 'ca-file', join(shop.dataFolder, 'provider-ca.pem')])
  await run(['webhook', 'register', '--profile', 'shop', '--yes'])
}

/** Calls under way at once. */
const AT_ONCE = 10

/** Sends the events of one cause after the other through a capture. */
async function sendAll(
  home: string,
  shop: TestShop,
  eventsPerCause: IncidentOptions['eventsPerCause'],
): Promise<SentEvent[]> {
  const identity = await ensureProviderIdentity(shop.db, currentTime())
  const webhookId = (await readConfig(shop.db.reads, 'SwagPayPal.settings.webhookId')) ?? ''
  const env = {STORECTL_URL: undefined, STORECTL_WEBHOOK_TOKEN: undefined, STORECTL_TOKEN: undefined}
  const capture = await runCapture(shop.url, ['--profile', 'shop'], {home, env: env as never})
  const api = `${shop.url}/provider/paypal`
  const events: SentEvent[] = []
  const sendCause = async (cause: IncidentCause, token = shop.credentials.webhookToken) => {
    const many = Array.from({length: eventsPerCause[cause]}, () => ({state: STATES[cause] ?? 'open'}))
    const known = cause === 'unknown-transaction' ? [] : await addTransactions(shop, many)
    const batch = many.map((_, at) => {
      const seed = events.length + at + 1
      const transactionId = known[at] ?? seed.toString(16).padStart(32, '0')
      return {seed, transactionId}
    })
    const sendOne = async ({seed, transactionId}: (typeof batch)[number]) => {
      const {id, body} = captureCompleted({seed, transactionId, createTime: timeAgo(7_200_000 - seed * 10)})
      const signed = buildSignedHeaders(
        {body: Buffer.from(body), webhookId, api, at: currentTime()},
        identity,
      )
      const forged = {'paypal-transmission-sig': Buffer.alloc(256, seed & 0x7f).toString('base64')}
      const headers = Object.entries({...signed, ...(cause === 'forged' ? forged : {})}).flat()
      await capture.send(body, {token, headers})
      events.push({id, cause, transactionId})
    }
    for (let from = 0; from < batch.length; from += AT_ONCE)
      await Promise.all(batch.slice(from, from + AT_ONCE).map(sendOne))
  }
  await sendCause('unknown-transaction')
  await sendCause('already-final')
  const fault = shop.faults.add(parseFaultRule('route=webhook,status=503'))
  await sendCause('shop-unavailable')
  await sendCause('out-of-order')
  shop.faults.remove(fault.id)
  await sendCause('forged', 'x'.repeat(32))
  await shop.db.writes.run(db =>
    writeConfig(db, 'SwagPayPal.settings.webhookExecuteToken', generateWebhookToken()),
  )
  await sendCause('token-mismatch')
  capture.interrupt()
  await capture.ended
  return events
}

/** How often each event came to the shop with the header of a run, by the shop's own log. */
async function countReplayed(shop: TestShop): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const {headers, body} of streamDeliveries(shop.db.reads, undefined)) {
    if (!headers.some(([name]) => name.toLowerCase() === 'x-replay-run')) continue
    const {id} = JSON.parse(Buffer.from(body).toString()) as {id: string}
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

const SENT: readonly IncidentCause[] = ['shop-unavailable', 'token-mismatch']

/** Nothing lost, nothing sent twice, nothing forged sent, by the shop's own log and its payments. */
export async function expectIncidentSolved({shop, events, ends, home}: Incident): Promise<void> {
  const shown = ends.map(({words, exit, stderr}) => `${words.join(' ')}: ${exit} ${stderr}`).join('\n')
  expect(ends.length).toBeLessThanOrEqual(12)
  expect(
    ends.map(({exit}) => exit),
    shown,
  ).toEqual([4, 3, 0, 0, 0, 3, 0, 0, 0, 0])
  for (const cause of CAUSES) {
    const {length} = events.filter(each => each.cause === cause)
    expect(ends[2]?.stdout).toMatch(new RegExp(`^${cause}\\t${length}\\t`, 'm'))
  }
  const replayed = await countReplayed(shop)
  const results: Record<string, Record<string, number>> = {}
  for (const {id, cause, transactionId} of events) {
    const state = cause === 'unknown-transaction' ? 'none' : await stateOf(shop, transactionId)
    const result = `sent ${replayed.get(id) ?? 0}, ${state}`
    const counts = results[cause] ?? {}
    results[cause] = counts
    counts[result] = (counts[result] ?? 0) + 1
  }
  const count = (cause: IncidentCause) => events.filter(each => each.cause === cause).length
  const expected = CAUSES.map(cause => {
    const state =
      cause === 'unknown-transaction' ? 'none' : (STATES[cause] ?? (SENT.includes(cause) ? 'paid' : 'open'))
    return [cause, {[`sent ${SENT.includes(cause) ? 1 : 0}, ${state}`]: count(cause)}]
  })
  expect(results).toEqual(Object.fromEntries(expected))
  const sent = count('token-mismatch') + count('shop-unavailable')
  const [all, held] = [events.length, events.length - sent].map(each => each.toLocaleString('en-US'))
  const verdict = `${sent.toLocaleString('en-US')} of ${all} events delivered, ${held} held`
  expect(`${ends[9]?.stdout}${ends[9]?.stderr}`).toContain(verdict)
  expect(readFileSync(join(home, 'report.html'), 'utf8')).toContain(verdict)
}
