import type {Headers} from '../../src/webhook/event/headers.js'
import {computeCrc32} from '../../src/wire/signed-message.js'
import type {Random} from '../simulation/random.js'
import {forgeChecksum} from '../support/signed.js'

/** A call of the webhook as somebody has written it down, or made. */
export interface Call {
  readonly body: string
  readonly headers: Headers
  /** The token in the address; `undefined` for an address without one. */
  readonly token: string | undefined
  readonly at: Date
}

/** One event of a seed: the provider's own, or an attack. */
export interface DrawnEvent {
  readonly kind: string
  readonly isHonest: boolean
  readonly id: string
  readonly transaction: string
  /** Decimal string: that of the payment, of which no attack has as much. */
  readonly amount: string
  /** How it comes: the text of a file, or a call to a capture. */
  readonly file?: string | undefined
  readonly call?: Call | undefined
}

export interface Setting {
  readonly token: string
  readonly transaction: string
  /** Signs a body as the provider does. */
  readonly sign: (body: string, at: Date) => Headers
  /** Has the provider know an event. */
  readonly list: (body: string) => void
  readonly at: Date
}

const WEBHOOK = '/api/_action/paypal/webhook/execute'
const WRONG = 'Cd34'.repeat(8)

/** What a seed brings: one honest event, and attacks on its payment. */
export function drawSeed(random: Random, setting: Setting): DrawnEvent[] {
  const amount = '10.00'
  const honest = bodyOf(random, setting, {amount, id: drawId(random)})
  const first = drawHonest(random, setting, honest, amount)
  const attacks = Array.from({length: 1 + random.below(3)}, () => drawAttack(random, setting, honest))
  const all = [first, ...attacks]
  return random.chance(0.5) ? all : all.reverse()
}

function drawHonest(random: Random, setting: Setting, body: string, amount: string): DrawnEvent {
  const {token, sign, list, at, transaction} = setting
  const about = {isHonest: true, id: JSON.parse(body).id, transaction, amount}
  const kind = random.pick(['token', 'signature', 'provider'] as const)
  const call = {
    body,
    headers: kind === 'signature' ? sign(body, at) : [],
    at,
    token: kind === 'token' ? token : undefined,
  }
  if (kind === 'provider') list(body)
  if (kind === 'token' && random.chance(0.3)) return {...about, kind: 'honest token, capture', call}
  const format = random.pick(OF_KIND[kind])
  return {...about, kind: `honest ${kind}, ${format}`, file: write(format, call)}
}

/** An attack on the payment of an honest event. @param honest its body */
export function drawAttack(
  random: Random,
  {sign, at, transaction, token}: Setting,
  honest: string,
): DrawnEvent {
  const amount = '1.00'
  const takesId = random.chance(0.4)
  const id = takesId ? (JSON.parse(honest).id as string) : drawId(random)
  const body = JSON.stringify({
    ...JSON.parse(honest),
    id,
    resource: {
      ...JSON.parse(honest).resource,
      amount: {currency_code: 'EUR', value: amount},
      id: drawId(random),
    },
  })
  const later = new Date(at.getTime() + 60_000)
  const about = {isHonest: false, id, transaction, amount}
  const call = (more: Partial<Call>): Call => ({body, headers: [], token: undefined, at: later, ...more})
  const way = random.pick([
    'wrong token',
    'masked',
    'no token',
    'bad signature',
    'other certificate',
    'equal checksum',
    'planted',
    'capture',
    'claims',
    'two tokens',
    'genuine, other amount',
  ] as const)
  const format = random.pick(FORMATS)
  const file = (made: Call, named = format) => ({
    ...about,
    kind: `${way}, ${named}`,
    file: write(named, made),
  })
  if (way === 'capture') return {...about, kind: way, call: call({token: random.pick([WRONG, '', 'xxxx'])})}
  if (way === 'genuine, other amount')
    return id === JSON.parse(honest).id
      ? file(call({}))
      : file(call({headers: sign(body, at), token}), random.pick(SIGNED_FORMATS))
  if (way === 'wrong token') return file(call({token: WRONG}))
  if (way === 'masked') return file(call({token: random.pick(['***', 'xxxxxxxxxxxx', 'REDACTED'])}))
  if (way === 'two tokens') return file(call({token: `a&sw-token[]=${WRONG}`}), 'nginx')
  if (way === 'claims')
    return {
      ...about,
      kind: way,
      file: `${JSON.stringify({...JSON.parse(body), sender: 'verified', verification: 'verified', isListed: true})}\n`,
    }
  if (way === 'planted') return {...about, kind: way, file: random.pick(PLANTED)(body)}
  if (way === 'bad signature')
    return file(
      call({
        headers: sign(body, at).map(([name, value]) => [
          name,
          /sig$/i.test(name) ? Buffer.alloc(256, 7).toString('base64') : value,
        ]),
      }),
      'har',
    )
  if (way === 'other certificate')
    return file(
      call({
        headers: sign(body, at).map(([name, value]) => [
          name,
          /cert-url$/i.test(name) ? 'https://evil.example/CERT-1' : value,
        ]),
      }),
      'har',
    )
  if (way === 'equal checksum')
    return file(
      call({
        headers: sign(honest, at),
        body: forgeChecksum(`${body} `, computeCrc32(Buffer.from(honest))).toString('latin1'),
      }),
      'har',
    )
  return file(call({}))
}

function bodyOf(
  random: Random,
  {transaction, at}: Setting,
  {amount, id}: {amount: string; id: string},
): string {
  return JSON.stringify({
    id,
    event_version: '1.0',
    create_time: new Date(at.getTime() - random.below(1000)).toISOString(),
    resource_type: 'capture',
    resource_version: '2.0',
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource: {
      id: drawId(random),
      amount: {currency_code: 'EUR', value: amount},
      final_capture: true,
      custom_id: transaction,
    },
  })
}

function drawId(random: Random): string {
  const digits = () => Array.from({length: 17}, () => random.below(10)).join('')
  return `WH-${digits()}-${digits()}`
}

const FORMATS = ['nginx', 'nginx JSON', 'har', 'curl', 'http', 'own', 'bare'] as const
const SIGNED_FORMATS = ['har', 'http', 'own'] as const
type Format = (typeof FORMATS)[number]

/** Formats that hold what establishes the sender. */
const OF_KIND: Readonly<Record<'token' | 'signature' | 'provider', readonly Format[]>> = {
  token: FORMATS.filter(format => format !== 'bare'),
  signature: SIGNED_FORMATS,
  provider: FORMATS,
}

function write(format: Format, {body, headers, token, at}: Call): string {
  const path = token === undefined ? WEBHOOK : `${WEBHOOK}?sw-token=${token}`
  const address = `https://shop.example${path}`
  const escaped = body.replace(/"/g, '\\x22')
  const written: Record<Format, () => string> = {
    nginx: () =>
      `1.2.3.4 - - [${logTime(at)}] "POST ${path} HTTP/1.1" 400 9 "https://shop.example/?sw-token=x" "-" "${escaped}"\n`,
    'nginx JSON': () =>
      `${JSON.stringify({time_iso8601: at.toISOString(), request: `POST ${path} HTTP/1.1`, status: '400', request_body: body})}\n`,
    har: () => {
      const request = {
        method: 'POST',
        url: address,
        headers: headers.map(([name, value]) => ({name, value})),
        postData: {text: body},
      }
      return JSON.stringify({
        log: {entries: [{startedDateTime: at.toISOString(), request, response: {status: 400}}]},
      })
    },
    curl: () => `curl '${address}' -H 'Content-Type: application/json' -d '${body}'\n`,
    http: () =>
      `POST ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    own: () => `${JSON.stringify({url: address, headers: Object.fromEntries(headers), body})}\n`,
    bare: () => `${body}\n`,
  }
  return written[format]()
}

function logTime(at: Date): string {
  const [, day, month, year] = /^\w+, (\d+) (\w+) (\d+)/.exec(at.toUTCString()) ?? []
  return `${day}/${month}/${year}:${at.toISOString().slice(11, 19)} +0000`
}

/** Lines of logs into which a stranger wrote an event. */
const PLANTED: readonly ((body: string) => string)[] = [
  body => `[2026-11-20T10:00:00+00:00] app.ERROR: comment {"webhook":${JSON.stringify(body)}} []\n`,
  body =>
    `[2026-11-20T10:00:00+00:00] paypal.ERROR: [PayPal Webhook] gone {"webhook":${JSON.stringify(body)}} []\n`,
  body =>
    `${JSON.stringify({channel: 'app', message: `[PayPal Webhook] ${body}`, context: {webhook: body}})}\n`,
  body =>
    `${JSON.stringify({user_agent: `{"url":"${WEBHOOK}?sw-token=x","body":${JSON.stringify(body)}}`})}\n`,
  body => `Nov 20 10:00:00 shop php: got ${body}\n`,
]
