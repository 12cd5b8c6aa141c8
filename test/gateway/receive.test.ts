import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import type {CapturedRow} from '../../src/gateway/capture-view.js'
import type {ForwardResult} from '../../src/gateway/captured-event.js'
import {type ReceptionDeps, receive} from '../../src/gateway/receive.js'
import {WebhookTokens} from '../../src/gateway/webhook-tokens.js'
import type {Call} from '../../src/http/http.js'
import {findProvider} from '../../src/providers/providers.js'
import type {Headers} from '../../src/webhook/event/headers.js'
import {digestToken} from '../../src/webhook/event/webhook-token.js'
import type {Arrival, HandedOn, Kept} from '../../src/webhook/inbox/capture-inbox.js'
import {StoppedClock} from '../support/clock.js'
import {TOKEN, WEBHOOK} from './support.js'

const RUN = '01m8432gegpvcjpq'
const PAYMENT = 'a'.repeat(32)
const BODY = Buffer.from(
  JSON.stringify({
    ...{
      id: 'WH-1',
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      resource_version: '2.0',
      resource_type: 'capture',
    },
    resource: {id: 'C1', custom_id: PAYMENT},
  }),
)

type Stored = Partial<Kept> | 'no-room' | undefined

interface Given {
  readonly token?: string
  /** What the inbox makes of the event, one time after the other; new by default. */
  readonly takes?: readonly Stored[]
  /** The shop's answer; `none` where there is no shop. */
  readonly answer?: {status: number; detail?: string} | Error | 'none'
  readonly deps?: Partial<ReceptionDeps>
  readonly hasRoom?: boolean
  /** Whether a replay has an event of the payment on its way, one time after the other. */
  readonly replayed?: readonly boolean[]
  /** Headers besides. */
  readonly headers?: Headers
  readonly body?: Buffer
}

/** One call through a reception whose parts the test decides about, and what became of it. */
async function call({
  token = TOKEN,
  takes = [],
  answer = {status: 200},
  replayed = [],
  ...given
}: Given = {}) {
  const clock = new StoppedClock()
  const seen = {
    ...{arrivals: [] as Arrival[], results: [] as HandedOn[], rows: [] as CapturedRow[], calls: [] as Call[]},
    ...{outcomes: [] as [ForwardResult, boolean][], accepted: [] as Buffer[], signatures: [] as string[]},
    ...{
      reserved: [] as [number, boolean][],
      released: [] as number[],
      notStored: 0,
      keys: [] as string[],
      left: 0,
    },
  }
  const [stored, isBusy] = [[...takes], [...replayed]]
  const tokens = new WebhookTokens(TOKEN, {in: 'query', name: 'sw-token'})
  const shop = {
    baseUrl: new URL('http://shop'),
    call: async (sent: Call) => {
      seen.calls.push(sent)
      clock.advance(7)
      if (answer instanceof Error) throw answer
      if (answer === 'none') throw new Error('no shop')
      const errors = [{code: '0', status: String(answer.status), title: 'x', detail: answer.detail}]
      const body = Buffer.from(answer.detail === undefined ? '' : JSON.stringify({errors}))
      return {status: answer.status, headers: {}, body}
    },
  }
  const deps: ReceptionDeps = {
    ...{
      shop: answer === 'none' ? undefined : shop,
      answers: findProvider('paypal').answers,
      self: 'us',
      tokens,
    },
    ...{timeoutMs: 5000, acceptsWhenDown: false, skipsDelivered: false, now: () => clock.now()},
    inboxWriter: {
      take: async arrival => {
        seen.arrivals.push(arrival)
        const next = stored.length > 0 ? stored.shift() : {}
        if (typeof next !== 'object') return next
        const fresh = {isKnown: false, wasDelivered: false, wasInDoubt: false, inFlightUntilMs: 9}
        return {id: arrival.event.id, ...fresh, ...next}
      },
      storeResult: async result => void seen.results.push(result),
    },
    signatures: {add: event => void seen.signatures.push(event.id)} as ReceptionDeps['signatures'],
    eventLocks: {
      enter: async keys => {
        seen.keys.push(...keys)
        return () => {
          seen.left++
        }
      },
    },
    findReplay: async () => (isBusy.shift() ? RUN : undefined),
    disk: {
      reserve: async (bytes, isTokenKnown) => {
        seen.reserved.push([bytes, isTokenKnown])
        return given.hasRoom ?? true
      },
      release: bytes => void seen.released.push(bytes),
      countNotStored: () => {
        seen.notStored++
      },
    },
    onAcceptedToken: async digest => void seen.accepted.push(digest),
    onForwarded: () => {},
    onEvent: row => void seen.rows.push(row),
    onResult: (...outcome) => void seen.outcomes.push(outcome),
    ...given.deps,
  }
  const headers: Headers = [['Content-Type', 'application/json'], ...(given.headers ?? [])]
  const {body = BODY} = given
  const reply = await receive({path: WEBHOOK, query: `sw-token=${token}`, headers, body}, deps)
  return {reply, status: reply.status, body: Buffer.from(reply.body).toString(), deps, ...seen}
}

const OTHER = 'OfAnotherSalesChannel'
const UNSTORED = 'The event could not be stored and was not accepted.'

test('a call is written down, handed on, and written down again with what the shop said', async () => {
  const {arrivals, results, calls, rows, signatures, released, left, keys, ...ended} = await call()
  expect(arrivals).toMatchObject([
    {
      ...{busyMs: 30_000, arrivedWith: 'token', hasRoom: true, event: {id: 'WH-1'}},
      message: 'forwarded to the shop; no response was recorded',
      tokenDigest: digestToken(TOKEN).toString('hex'),
    },
  ])
  expect(calls).toMatchObject([
    {
      method: 'POST',
      path: `${WEBHOOK}?sw-token=${TOKEN}`,
      body: BODY,
      headers: {via: '1.1 us'},
      answer: 'short',
    },
  ])
  expect(results).toMatchObject([
    {id: 'WH-1', inFlightUntilMs: 9, status: 'delivered', answer: 200, message: null, arrivedWith: 'token'},
  ])
  expect(rows).toEqual([
    {
      ...{receivedAt: new StoppedClock().now().toISOString(), id: 'WH-1', type: 'PAYMENT.CAPTURE.COMPLETED'},
      ...{status: 'delivered', answer: 200, message: null, answered: 200, ms: 7},
    },
  ])
  expect(ended).toMatchObject({status: 200, notStored: 0, accepted: []})
  expect([signatures, released, left]).toEqual([['WH-1'], [], 1])
  expect(keys).toEqual([`transaction:${PAYMENT}`, 'provider:C1', 'event:WH-1'])
})

test('an event waits for those of its payment, and for itself as it is called in the inbox', async () => {
  const keysOf = async (given: Given) => (await call(given)).keys
  const payment = [`transaction:${PAYMENT}`, 'provider:C1']
  expect(await keysOf({takes: [{id: 'WH-1~2'}]})).toEqual([...payment, 'event:WH-1~2'])
  expect(await keysOf({token: OTHER, takes: ['no-room']})).toEqual([...payment, 'event:WH-1'])
})

test('the room of an event that was there already, or was not stored, is given back', async () => {
  for (const stored of [{isKnown: true}, undefined, 'no-room'] as const) {
    const {reserved, released} = await call({takes: [stored]})
    expect(released).toEqual(reserved.map(([bytes]) => bytes))
    expect(reserved[0]?.[0]).toBeGreaterThan(BODY.length + 1024)
  }
  expect((await call({hasRoom: false, takes: ['no-room']})).released).toEqual([])
})

test('what cannot be written is refused, and not handed on', async () => {
  for (const [token, stored, message] of [
    [TOKEN, undefined, 'the inbox cannot be written'],
    [OTHER, undefined, 'the inbox cannot be written'],
    [TOKEN, 'no-room', '--max-disk is used up'],
  ] as const) {
    const {status, body, calls, rows, results} = await call({token, takes: [stored]})
    expect([status, calls, results]).toEqual([503, [], []])
    expect(body).toContain(UNSTORED)
    expect(rows).toMatchObject([{status: 'not-stored', answer: null, answered: 503, message}])
  }
})

test('of a stranger without room, what the shop takes is stored, or else not acknowledged', async () => {
  const kept = await call({token: OTHER, takes: ['no-room', {}]})
  expect(kept).toMatchObject({status: 200, notStored: 0, rows: [{status: 'delivered'}]})
  expect(kept.arrivals.map(({arrivedWith}) => arrivedWith)).toEqual(['wrong-token', 'token'])
  expect(kept.reserved.map(([, isTokenKnown]) => isTokenKnown)).toEqual([false, true])
  expect(kept.accepted).toEqual([digestToken(OTHER)])
  for (const [stored, message] of [
    [undefined, 'the inbox cannot be written'],
    ['no-room', '--max-disk is used up'],
  ] as const)
    expect(await call({token: OTHER, takes: ['no-room', stored]})).toMatchObject({
      ...{status: 503, body: expect.stringContaining(UNSTORED), results: [], signatures: []},
      rows: [{status: 'not-stored', message}],
    })
})

test('of a stranger without room, what the shop refuses is handed on and counted', async () => {
  const answer = {status: 400, detail: 'Shopware token is invalid'}
  expect(await call({token: OTHER, takes: ['no-room'], answer})).toMatchObject({
    ...{status: 400, notStored: 1, results: [], signatures: [], accepted: []},
    rows: [{id: 'WH-1', status: 'not-stored', answer: 400, answered: 400}],
  })
})

test.each([
  [TOKEN, {status: 400, detail: 'Shopware token is invalid'}, 'token', true],
  [OTHER, {status: 400, detail: 'Shopware token is invalid'}, 'wrong-token', false],
  [OTHER, {status: 400, detail: 'An error occurred during execution of webhook'}, 'token', false],
  [OTHER, {status: 503, detail: 'maintenance'}, 'wrong-token', false],
  ['', {status: 503, detail: 'maintenance'}, 'unverified', false],
  ['', {status: 400, detail: 'Shopware token is invalid'}, 'wrong-token', false],
  ['', {status: 200}, 'unverified', false],
] as const)(
  'the token "%s" with the answer %j is stored as %s',
  async (token, answer, arrivedWith, isOwn) => {
    const {results, outcomes} = await call({token, answer})
    expect(results).toMatchObject([{arrivedWith}])
    expect(outcomes.map(([, isOwnToken]) => isOwnToken)).toEqual([isOwn])
  },
)

test('a token that the shop has taken is told once', async () => {
  const first = await call({token: OTHER})
  expect(first.accepted).toHaveLength(1)
  const again = await call({token: OTHER, deps: {tokens: first.deps.tokens}})
  expect([again.accepted, again.results]).toMatchObject([[], [{arrivedWith: 'token'}]])
})

test('a failure after a call in doubt leaves the doubt, and a success ends it', async () => {
  const refused = {status: 400, detail: 'An error occurred during execution of webhook'}
  const results = async (wasInDoubt: boolean, answer: NonNullable<Given['answer']>) =>
    (await call({takes: [{wasInDoubt}], answer})).results.map(({status}) => status)
  expect(await results(true, refused)).toEqual(['unknown'])
  expect(await results(false, refused)).toEqual(['failed'])
  expect(await results(true, {status: 200})).toEqual(['delivered'])
})

test('a shop that is away is answered for where that was asked for, to whom the token vouches', async () => {
  const gone = new StorectlError('unavailable.not_connected', 'no connection')
  const status = async (token: string, acceptsWhenDown: boolean) =>
    (await call({token, answer: gone, deps: {acceptsWhenDown}})).status
  expect(await status(TOKEN, true)).toBe(200)
  expect(await status(TOKEN, false)).toBe(503)
  expect(await status(OTHER, true)).toBe(503)
  expect(await call({answer: gone})).toMatchObject({
    ...{results: [{status: 'failed', answer: null, message: 'no connection'}], left: 1},
    outcomes: [[{isAway: true}, true]],
  })
})

test('what was delivered is not handed on where that was asked for, to whom the token vouches', async () => {
  const skip = (token: string, wasDelivered: boolean, skipsDelivered = true) =>
    call({token, takes: [{id: 'WH-1~2', isKnown: true, wasDelivered}], deps: {skipsDelivered}})
  const skipped = await skip(TOKEN, true)
  expect(skipped).toMatchObject({
    ...{status: 200, calls: [], outcomes: []},
    results: [
      {id: 'WH-1~2', status: 'failed', answer: null, message: 'delivered before', arrivedWith: 'token'},
    ],
    rows: [{id: 'WH-1~2', status: 'delivered', answered: 200, message: 'delivered before'}],
  })
  for (const others of [skip(OTHER, true), skip(TOKEN, false), skip(TOKEN, true, false)])
    expect((await others).calls).toHaveLength(1)
})

test('an event that waited for its turn in vain is not sent, and the provider is to come again', async () => {
  const late = await call({deps: {eventLocks: {enter: async () => undefined}}})
  const message = 'an earlier event of its payment had no response after 30 s; not sent'
  expect(late).toMatchObject({
    ...{status: 503, calls: [], results: [{status: 'failed', answer: null, message}]},
    outcomes: [[{isAway: true, provesToken: false, refusesToken: false}, true]],
  })
})

test('a call of a replay on these records is only forwarded, and so is one that says nothing', async () => {
  const own: Given = {headers: [['x-replay-run', RUN]], replayed: [true]}
  const empty: Given = {body: Buffer.from('{}')}
  const refused = {status: 400, detail: 'No webhook data sent'}
  const cut = new StorectlError('unavailable.cut_off', 'The connection was cut.')
  const unsent = new StorectlError('unavailable.not_connected', 'Nothing was sent.')
  // A capture may not know yet what the profile's token is now.
  for (const given of [own, empty, {...own, token: OTHER}, {...empty, token: OTHER}]) {
    const forwarded = await call(given)
    expect(forwarded.calls).toMatchObject([
      {path: `${WEBHOOK}?sw-token=${given.token ?? TOKEN}`, body: given.body ?? BODY},
    ])
    expect(forwarded).toMatchObject({
      ...{status: 200, arrivals: [], results: [], rows: [], signatures: [], keys: [], reserved: []},
      ...{outcomes: [], notStored: 0},
    })
    // Nothing but what the shop said, as it said it: a replay reads from it whether a call may have been applied.
    for (const answer of [refused, {status: 503}, {status: 504}])
      expect((await call({...given, answer})).status).toBe(answer.status)
    expect((await call({...given, answer: cut})).status).toBe(504)
    expect((await call({...given, answer: unsent})).status).toBe(503)
  }
  const others: Given[] = [
    {...own, replayed: [false]},
    {
      ...own,
      headers: [
        ['x-replay-run', 'another'],
        ['x-replay-of', RUN],
      ],
      replayed: [true, false],
    },
    {replayed: [true, false]},
    {body: Buffer.from('[]')},
    {...empty, answer: 'none'},
  ]
  for (const given of others)
    expect((await call(given)).arrivals.length, JSON.stringify(given)).toBeGreaterThan(0)
})

test('an event is taken up again once a replay of its payment is over', async () => {
  const free = await call({replayed: [true, true, false], takes: [{}, {id: 'WH-1', inFlightUntilMs: 11}]})
  expect(free).toMatchObject({status: 200, left: 1, results: [{inFlightUntilMs: 11, status: 'delivered'}]})
  expect(free.arrivals).toMatchObject([{}, {busyMs: 30_000, arrivedWith: 'token', hasRoom: true}])
  const delivered = await call({replayed: [true, false], takes: [{}, {wasDelivered: true}]})
  expect(delivered).toMatchObject({
    status: 200,
    calls: [],
    left: 1,
    rows: [{status: 'delivered'}],
    outcomes: [],
  })
  // One that was delivered before, or that nobody vouches for, is handed on as it is.
  for (const given of [{takes: [{wasDelivered: true}]}, {token: OTHER}]) {
    const {arrivals, calls} = await call({replayed: [true, false], ...given})
    expect([arrivals.length, calls.length]).toEqual([1, 1])
  }
  // What cannot be written then is handed on with what is known of it.
  const lost = await call({replayed: [true, false], takes: [{inFlightUntilMs: 5}, undefined]})
  expect(lost).toMatchObject({status: 200, results: [{inFlightUntilMs: 5}]})
  const refused = {status: 400, detail: 'An error occurred during execution of webhook'}
  for (const takes of [
    [{wasInDoubt: true}, {}],
    [{}, {wasInDoubt: true}],
  ])
    expect((await call({replayed: [true, false], takes, answer: refused})).results).toMatchObject([
      {status: 'unknown'},
    ])
})

test('without a shop an event is kept for whom the token vouches, and refused to all others', async () => {
  const kept = await call({answer: 'none', takes: [{id: 'WH-1~2'}]})
  expect(kept).toMatchObject({
    ...{status: 200, arrivals: [{busyMs: null, message: null}], results: [], signatures: ['WH-1~2']},
    rows: [{id: 'WH-1~2', status: 'pending', answer: null, answered: 200}],
  })
  const stranger = await call({answer: 'none', token: OTHER})
  expect(stranger).toMatchObject({
    ...{
      status: 400,
      notStored: 0,
      signatures: ['WH-1'],
      body: expect.stringContaining('Shopware token is invalid'),
    },
    results: [
      {status: 'failed', answer: 400, message: 'Shopware token is invalid', arrivedWith: 'wrong-token'},
    ],
    rows: [{status: 'failed', answer: 400, answered: 400}],
  })
  expect((await call({answer: 'none', token: OTHER, takes: [{isKnown: true}]})).results).toEqual([])
  expect(await call({answer: 'none', token: OTHER, takes: ['no-room']})).toMatchObject({
    ...{status: 400, notStored: 1, results: [], signatures: [], rows: [{status: 'not-stored'}]},
  })
})
