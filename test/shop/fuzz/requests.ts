import {createRandom} from '../../../src/shop/faults/active-faults.js'
import {BASE_IDS} from '../../../src/shop/runtime/base-data.js'
import {SYSTEM_CURRENCY_ID, SYSTEM_LANGUAGE_ID} from '../../../src/shopware/ids.js'

/** One request as it goes over the socket. */
export interface FuzzRequest {
  readonly bytes: Buffer
  /** Whether what was sent may be the beginning of more, so that a server may rightly wait. */
  readonly mayWait: boolean
  /** What to show when the answer is wrong. */
  readonly shown: string
}

export interface FuzzTarget {
  /** Methods and paths, placeholders as `:name`. */
  readonly routes: readonly {readonly method: string; readonly path: string}[]
  /** Names of fields and associations, to get past the first check. */
  readonly names: readonly string[]
  readonly host: string
  readonly token: string
  readonly webhookToken: string
}

/** Requests without end, always the same for a seed: from nearly right to bytes that mean nothing. */
export function* fuzzRequests(target: FuzzTarget, seed: number): Generator<FuzzRequest> {
  const dice = diceOf(createRandom(seed))
  for (;;) yield requestOf(target, dice)
}

type Dice = ReturnType<typeof diceOf>

function diceOf(next: () => number) {
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (share: number) => next() < share,
    of: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  }
}

function requestOf(target: FuzzTarget, dice: Dice): FuzzRequest {
  const route = dice.of(target.routes)
  const method = dice.chance(0.9)
    ? route.method
    : dice.of(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'X', 'get'])
  const path = dice.chance(0.95) ? pathOf(route.path, dice) : `/${textOf(dice).replace(/[\s#]/g, '')}`
  const body = bodyOf(target, dice)
  const length = dice.chance(0.98) ? String(body.length) : dice.of(['-1', 'x', '99999999999', '+3', '0x10'])
  const headers = headersOf(target, dice)
  const head = [
    `${method} ${path}${queryOf(target, dice)} HTTP/1.1`,
    ...(dice.chance(0.98) ? [`Host: ${dice.chance(0.97) ? target.host : oddHeader(dice)}`] : []),
    'Connection: close',
    ...headers,
    `Content-Length: ${length}`,
  ].join('\r\n')
  const bytes = Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body])
  const sent = dice.chance(0.02) ? spoil(bytes, dice) : bytes
  const mayWait = sent !== bytes || length !== String(body.length) || /Transfer-Encoding|Expect/.test(head)
  return {bytes: sent, mayWait, shown: sent.subarray(0, 3000).toString('latin1')}
}

function spoil(bytes: Buffer, dice: Dice): Buffer {
  const copy = Buffer.from(bytes)
  for (let times = 1 + dice.below(5); times > 0; times--) copy[dice.below(copy.length)] = dice.below(256)
  return copy
}

const IDS = [BASE_IDS.salesChannel, BASE_IDS.customerGroup, SYSTEM_LANGUAGE_ID, SYSTEM_CURRENCY_ID]
const ODD_PARTS = ['null', 'x', '..', '%00', '%ff', '%', '%2e%2e', 'A'.repeat(32), 'é', '-1', '']

function pathOf(path: string, dice: Dice): string {
  return path
    .replace(/\([^)]*\)/g, '')
    .replace(/:\w+/g, () =>
      encodeURI(dice.chance(0.7) ? idOf(dice) : dice.of([...ODD_PARTS, 'pay', 'open'])).replace(/%25/g, '%'),
    )
}

function idOf(dice: Dice): string {
  if (dice.chance(0.5)) return dice.of(IDS)
  return Array.from({length: 32}, () => dice.below(16).toString(16)).join('')
}

function queryOf({webhookToken}: FuzzTarget, dice: Dice): string {
  if (dice.chance(0.5)) return `?sw-token=${webhookToken}`
  return dice.of([
    '',
    '?',
    '?a[b][]=1&a[b]=2',
    '?sw-token[]=x',
    '?%',
    '?=&&=',
    `?${'a[b]'.repeat(50)}=1`,
    '?__proto__[x]=1',
  ])
}

function headersOf({token}: FuzzTarget, dice: Dice): string[] {
  const types = [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/json; charset=latin1',
    '',
    ';;;',
  ]
  const lines = [
    `Content-Type: ${dice.chance(0.8) ? 'application/json' : dice.of(types)}`,
    `Accept: ${dice.chance(0.9) ? dice.of(['application/json', 'application/vnd.api+json']) : dice.of(['*/*', 'text/html', ';q=', oddHeader(dice)])}`,
    `Authorization: ${dice.chance(0.9) ? `Bearer ${token}` : dice.of(['', 'Bearer', 'Bearer a.b.c', 'Basic Og==', token, oddHeader(dice)])}`,
  ]
  const names = [
    'sw-language-id',
    'sw-currency-id',
    'sw-version-id',
    'sw-inheritance',
    'sw-expect-packages',
    'Idempotency-Key',
    'Referer',
    'Transfer-Encoding',
    'Expect',
    'X-Forwarded-For',
  ]
  while (dice.chance(0.15))
    lines.push(`${dice.of(names)}: ${dice.chance(0.3) ? idOf(dice) : oddHeader(dice)}`)
  return lines.filter(() => dice.chance(0.97))
}

function oddHeader(dice: Dice): string {
  const odd = ['"', '{}', '\u00e9\u00ff', 'a'.repeat(300), 'chunked', '0', '\t', '%0d%0a', 'x'.repeat(20_000)]
  return dice.chance(0.98) ? dice.of(odd.slice(0, -1)) : (odd.at(-1) as string)
}

/** Members that some route reads. */
const KEYS = [
  'filter',
  'post-filter',
  'type',
  'field',
  'value',
  'queries',
  'query',
  'operator',
  'parameters',
  'score',
  'gte',
  'lt',
  'sort',
  'order',
  'associations',
  'includes',
  'fields',
  'ids',
  'limit',
  'page',
  'total-count-mode',
  'term',
  'grouping',
  'aggregations',
  'name',
  'interval',
  'grant_type',
  'client_id',
  'client_secret',
  'username',
  'password',
  'scope',
  'refresh_token',
  'event_type',
  'resource_type',
  'resource_version',
  'resource',
  'custom_id',
  'amount',
  'final_capture',
  'seller_payable_breakdown',
  'reference',
  'lines',
  'sku',
  'quantity',
  'unitPrice',
  'currency',
  'shipTo',
  'country',
  'entity',
  'action',
  'payload',
  'price',
  'totalPrice',
  'customFields',
  'stateFieldName',
  'rules',
  'id',
  '__proto__',
  'constructor',
  'length',
  'toString',
  '0',
]
const WORDS = [
  'equals',
  'equalsAny',
  'contains',
  'prefix',
  'suffix',
  'range',
  'multi',
  'not',
  'since',
  'and',
  'or',
  'AND',
  'XOR',
  'desc',
  'count',
  'terms',
  'avg',
  'histogram',
  'date-histogram',
  'entity',
  'filter',
  'day',
  'upsert',
  'delete',
  'customer',
  'order',
  'tag',
  'client_credentials',
  'password',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.REFUNDED',
  'capture',
  'refund',
  '2.0',
  '3.0',
  '1.00',
  'EUR',
  'DE',
  'P1D',
  '2024-10-24',
  '2024-02-31T99:99:99',
  '\u0000',
  '\ud800',
  '%',
  "'",
  '"',
  '\\',
  '_score',
  'customFields.a"b',
  'a.b.c',
  '<script>',
  '\u65e5\u672c',
  'DROP TABLE customer',
  '',
]

function bodyOf(target: FuzzTarget, dice: Dice): Buffer {
  if (dice.chance(0.05)) return Buffer.alloc(0)
  if (dice.chance(0.05)) return Buffer.from(Array.from({length: dice.below(200)}, () => dice.below(256)))
  if (dice.chance(0.03)) return Buffer.from(`${'['.repeat(dice.below(2000))}`)
  if (dice.chance(0.03)) return Buffer.from('a[b][c]=1&a[b]=2&x=%ff&filter[0][type]=equals')
  if (dice.chance(0.03)) return Buffer.from(deepJson(target, dice))
  const text = JSON.stringify(jsonOf(target, dice, 5)) ?? 'null'
  return Buffer.from(dice.chance(0.03) ? text.slice(0, dice.below(text.length)) : text)
}

/** The same members inside each other, up to as deep as the shop reads JSON, and a little deeper. */
function deepJson({names}: FuzzTarget, dice: Dice): string {
  const opening = dice.of([
    '{"type":"multi","queries":[',
    '{"filter":[{"type":"not","queries":[',
    '{"associations":{"addresses":',
    '{"associations":{"customer":{"associations":{"addresses":',
    '{"addresses":[{"customer":',
    '{"lineItems":[{"order":',
    `{"${dice.of(names)}":`,
    `{"aggregations":[{"name":"a","type":"filter","aggregation":`,
  ])
  const closing = [...opening.replace(/[^[{]/g, '')].reverse().map(one => (one === '[' ? ']' : '}'))
  const times = 1 + dice.below(Math.ceil(600 / closing.length))
  return `${opening.repeat(times)}{}${closing.join('').repeat(times)}`
}

function jsonOf(target: FuzzTarget, dice: Dice, depth: number): unknown {
  const shape = depth === 5 ? 0.4 + dice.below(60) / 100 : dice.below(100) / 100
  if (depth > 0 && shape > 0.5) {
    const pairs = Array.from({length: 1 + dice.below(6)}, () => [
      nameOf(target, dice),
      jsonOf(target, dice, depth - 1),
    ])
    return Object.fromEntries(pairs)
  }
  if (depth > 0 && shape > 0.35)
    return Array.from({length: dice.below(4)}, () => jsonOf(target, dice, depth - 1))
  return dice.of([
    () => dice.of(WORDS),
    () => nameOf(target, dice),
    () => idOf(dice),
    () => dice.of([0, 1, -1, 1.5, 500, 501, 1e308, 2 ** 53, Number.MIN_VALUE, -0]),
    () => dice.of([true, false, null]),
    () => textOf(dice),
  ])()
}

function nameOf({names}: FuzzTarget, dice: Dice): string {
  return dice.chance(0.55) ? dice.of(KEYS) : dice.of(names)
}

function textOf(dice: Dice): string {
  return Array.from({length: dice.below(12)}, () => String.fromCodePoint(dice.below(0x2fff))).join('')
}
