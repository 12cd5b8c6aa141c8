import {expect, test} from 'vitest'
import {VERIFICATION_REASONS, type VerificationReason} from '../../../src/webhook/event/verification.js'
import {type AskProvider, EventVerifier, type SignedEvent} from '../../../src/webhook/verify/verify-events.js'
import {StoppedClock} from '../../support/clock.js'
import {createSigner} from '../../support/signed.js'

const signer = createSigner()
const AT = new Date(Date.UTC(2026, 10, 20))
const BODY = Buffer.from('{"id":"WH-1"}')

const signed = (webhookId: string, more: Partial<SignedEvent> = {}): SignedEvent => ({
  ...{id: 'WH-1', sha256: 'c0ffee', createdAt: AT, receivedAt: AT, body: BODY},
  ...{headers: signer.sign(BODY, {webhookId, at: AT}), ...more},
})

interface Known {
  /** Webhook ids that the inbox has. */
  readonly stored?: readonly string[]
  /** Those that shop and provider name, at each time they are asked. */
  readonly named?: string[][]
  readonly askProvider?: AskProvider
  readonly certificate?: 'valid' | 'absent' | 'invalid'
}

function openVerifier({stored = [], named = [], askProvider, certificate = 'valid'}: Known) {
  const clock = new StoppedClock()
  const ids = [...stored]
  const verifier = new EventVerifier({
    signatures: {
      store: async (_, checks) => checks.map(({result, reason}) => ({result, reason})),
      listWebhookIds: async () => ids,
      addWebhookIds: async (_, added) => void ids.unshift(...added),
    },
    certificates: {
      find: async () =>
        certificate === 'valid' ? {kind: 'valid', key: signer.publicKey} : {kind: certificate},
    },
    providerUrl: new URL('https://api.paypal.com'),
    fetchWebhookIds: async () => named.shift() ?? [],
    ...{askProvider, clock},
  })
  const verify = async (event: SignedEvent) => {
    const [{result, reason} = {}] = await verifier.verify('shop', [event])
    return reason ?? result
  }
  return {verifier, verify, clock, ids}
}

test('an event whose webhook id shop or provider name by now is verified, and the id is known from then on', async () => {
  const {verify, ids} = openVerifier({stored: ['OLD'], named: [['OLD', 'NEW', 'OTHER']]})
  expect(await verify(signed('NEW'))).toBe('verified')
  expect(ids).toEqual(['NEW', 'OTHER', 'OLD'])
})

test.each<[string, readonly string[], VerificationReason]>([
  ['none is known', [], 'no-webhook-id'],
  ['another is known', ['OLD'], 'other-registration'],
])('an event of a webhook id that nobody names is not checked, where %s', async (_, stored, reason) => {
  const {verify} = openVerifier({stored, named: [[...stored]]})
  expect(await verify(signed('NEW'))).toBe(reason)
})

test('webhook ids are asked for again after a minute, and not sooner', async () => {
  const {verify, clock} = openVerifier({named: [[], ['NEW']]})
  const event = signed('NEW')
  expect(await verify(event)).toBe('no-webhook-id')
  clock.advance(59_999)
  expect(await verify(event)).toBe('no-webhook-id')
  clock.advance(1)
  expect(await verify(event)).toBe('verified')
})

test('a signature for none of the webhook ids is no proof where the bytes may differ', async () => {
  const {verify} = openVerifier({stored: ['OLD']})
  expect(await verify(signed('NEW', {mayDiffer: true}))).toBe('changed-bytes')
})

test.each<[string, AskProvider | undefined, string]>([
  ['confirms it for one of them', async (_, __, id) => id === 'ID5', 'verified'],
  [
    'would confirm it for the sixth alone, which it is not asked about',
    async (_, __, id) => id === 'ID6',
    'not-confirmed',
  ],
  ['does not confirm it', async () => false, 'not-confirmed'],
  ['does not answer', async () => undefined, 'no-certificate'],
  ['is not asked', undefined, 'no-certificate'],
])(
  'without its certificate an event is what the provider says, where it %s',
  async (_, askProvider, expected) => {
    const stored = ['ID1', 'ID2', 'ID3', 'ID4', 'ID5', 'ID6']
    const {verify} = openVerifier({stored, certificate: 'absent', ...(askProvider && {askProvider})})
    expect(await verify(signed('ID5'))).toBe(expected)
  },
)

test('the provider is not asked where no webhook id is known, and what differs it cannot confirm', async () => {
  const askProvider = async () => false
  const none = openVerifier({certificate: 'invalid', askProvider})
  expect(await none.verify(signed('ID1'))).toBe('no-webhook-id')
  const one = openVerifier({stored: ['ID1'], certificate: 'invalid', askProvider})
  expect(await one.verify(signed('ID1', {mayDiffer: true}))).toBe('changed-bytes')
})

test('another algorithm is not checked here, whatever the signature is', async () => {
  const headers = signer
    .sign(BODY, {webhookId: 'ID1', at: AT})
    .map(([name, value]) => [name, /algo/i.test(name) ? 'SHA512withRSA' : value] as const)
  const event = signed('ID1', {headers})
  expect(await openVerifier({stored: ['ID1']}).verify(event)).toBe('other-algorithm')
  expect(await openVerifier({stored: ['ID1'], askProvider: async () => true}).verify(event)).toBe('verified')
})

test.each([
  ['five minutes before the event was created', -5 * 60_000, 'verified'],
  ['longer before that', -5 * 60_000 - 1, 'other-time'],
  ['five minutes after it arrived', 3_600_000 + 5 * 60_000, 'verified'],
  ['longer after that', 3_600_000 + 5 * 60_000 + 1000, 'other-time'],
])('a good signature that was made %s', async (_, ms, expected) => {
  const headers = signer.sign(BODY, {webhookId: 'ID1', at: new Date(AT.getTime() + ms)})
  const event = signed('ID1', {headers, receivedAt: new Date(AT.getTime() + 3_600_000)})
  expect(await openVerifier({stored: ['ID1']}).verify(event)).toBe(expected)
})

test('events without a signature keep their place among those that have one', async () => {
  const {verifier} = openVerifier({stored: ['ID1']})
  const events = [signed('ID1', {headers: []}), signed('ID1'), signed('ID2'), signed('ID1', {headers: []})]
  expect((await verifier.verify('shop', events)).map(({reason}) => reason)).toEqual([
    ...['no-signature', null, 'other-registration', 'no-signature'],
  ])
})

test('every reason says what it is about, each in its own words', () => {
  const words = Object.values(VERIFICATION_REASONS)
  expect(words.filter(text => text.length < 20)).toEqual([])
  expect(new Set(words).size).toBe(words.length)
})
