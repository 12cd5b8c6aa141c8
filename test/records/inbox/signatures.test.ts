import {describe, expect, test} from 'vitest'
import type {InboxEvent, WebhookEvent} from '../../../src/webhook/event/event.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import type {Verification} from '../../../src/webhook/event/verification.js'
import type {CheckedEvent} from '../../../src/webhook/inbox/signature-store.js'
import {ENGINES} from '../../support/engines.js'
import {freshPlace, recordsAt} from '../support.js'

const SHOP = 'https://shop.test'
const AT = new Date('2026-11-21T12:00:00Z')
const VERIFIED: Verification = {result: 'verified', reason: null}
const NOT_SIGNED: Verification = {result: 'forged', reason: 'not-signed'}
const OTHER: Verification = {result: 'not-checked', reason: 'other-registration'}

function event(id: string, summary = 'one', transmission = 'T-1'): WebhookEvent {
  const body = Buffer.from(JSON.stringify({id, event_type: 'PAYMENT.CAPTURE.COMPLETED', summary}))
  const read = readEvent(body, 'capture', AT, [['PAYPAL-TRANSMISSION-ID', transmission]])
  if ('unusable' in read) throw new Error(read.unusable)
  return read
}

const check = (
  {id, sha256, headers, body}: WebhookEvent,
  verification: Verification,
  transmissionId = 'T-1',
): CheckedEvent => ({id, sha256, headers, body, transmissionId, ...verification})

describe.each(ENGINES)('signatures in $name', engine => {
  const open = async () => {
    const records = await recordsAt(await freshPlace(engine), () => AT)
    const one = async (id: string, target = SHOP) =>
      (await records.inbox.find(target, [id])).get(id) as InboxEvent
    const takeStranger = (sent: WebhookEvent) =>
      records.captures.take(SHOP, {
        event: sent,
        busyMs: null,
        message: null,
        arrivedWith: 'wrong-token' as const,
        hasRoom: true,
      })
    return {...records, one, takeStranger}
  }

  test('a verified event counts as proven, and stays verified', async () => {
    const {signatures, one, takeStranger} = await open()
    const sent = event('WH-1')
    await takeStranger(sent)
    expect(await one('WH-1')).toMatchObject({sender: 'wrong-token', verification: 'not-checked'})
    expect(await signatures.store(SHOP, [check(sent, VERIFIED)])).toEqual([VERIFIED])
    await signatures.store(SHOP, [check(sent, NOT_SIGNED)])
    expect(await one('WH-1')).toMatchObject({sender: 'verified', verification: 'verified'})
  })

  test('a copy with other headers changes nothing, unless it is verified', async () => {
    const {signatures, one, takeStranger} = await open()
    const sent = event('WH-1')
    await takeStranger(sent)
    const copy = {...sent, headers: [['PAYPAL-TRANSMISSION-ID', 'T-2']] as const}
    await signatures.store(SHOP, [check(copy, NOT_SIGNED, 'T-2')])
    expect(await one('WH-1')).toMatchObject({verification: 'not-checked', verificationReason: null})
    await signatures.store(SHOP, [check(copy, VERIFIED, 'T-2')])
    expect(await one('WH-1')).toMatchObject({verification: 'verified'})
  })

  test('a transmission id with another body is forged, with a valid signature too', async () => {
    const {signatures, one, takeStranger} = await open()
    const [first, second] = [event('WH-1'), event('WH-2', 'another')]
    await takeStranger(first)
    await takeStranger(second)
    const results = await signatures.store(SHOP, [check(first, VERIFIED), check(second, VERIFIED)])
    expect(results).toEqual([VERIFIED, {result: 'forged', reason: 'other-body'}])
    expect(await one('WH-2')).toMatchObject({sender: 'forged', verification: 'forged'})
    // Without a match, too; the same content in another spelling is no other body.
    const third = event('WH-3', 'a third')
    expect(await signatures.store(SHOP, [check(third, OTHER)])).toMatchObject([{result: 'forged'}])
    const spelled = {...first, body: Buffer.from(` ${Buffer.from(first.body)}`), sha256: 'x'}
    expect(await signatures.store(SHOP, [check(spelled, OTHER)])).toEqual([
      {result: 'not-checked', reason: 'changed-bytes'},
    ])
    expect(await signatures.store(SHOP, [check(spelled, VERIFIED)])).toMatchObject([{result: 'forged'}])
  })

  test.each([
    ['under an id of its own', 'WH-X', SHOP],
    ['under the same id', 'WH-1', SHOP],
    ['under the same id, and the list put aside', 'WH-1', 'aside:1'],
  ])(
    "the provider's list decides which of two bodies is genuine, the forged one first and %s",
    async (_, id, to) => {
      const {signatures, inbox, one, takeStranger} = await open()
      const [forged, genuine] = [event(id, 'forged'), event('WH-1', 'genuine')]
      await takeStranger(forged)
      await signatures.store(SHOP, [check(forged, VERIFIED)])
      await takeStranger(genuine)
      await signatures.store(SHOP, [check(genuine, VERIFIED)])
      await inbox.add(to, [{...genuine, headers: [], isListed: true}])
      if (to !== SHOP) await inbox.adopt(to, SHOP)
      expect(await one('WH-1')).toMatchObject({
        ...{sha256: genuine.sha256, sender: 'verified', verificationReason: 'listed', hasConflict: false},
      })
      const beside = id === 'WH-1' ? `WH-1~${forged.sha256.slice(0, 12)}` : id
      expect(await one(beside)).toMatchObject({
        sha256: forged.sha256,
        sender: 'forged',
        verificationReason: 'other-body',
      })
      // And so it stays, whichever comes again.
      expect(await signatures.store(SHOP, [check(genuine, VERIFIED)])).toEqual([VERIFIED])
      expect(await signatures.store(SHOP, [check(forged, VERIFIED)])).toMatchObject([{result: 'forged'}])
      const spelled = {...genuine, body: Buffer.from(` ${Buffer.from(genuine.body)}`), sha256: 'x'}
      expect(await signatures.store(SHOP, [check(spelled, OTHER)])).toEqual([
        {result: 'not-checked', reason: 'changed-bytes'},
      ])
    },
  )

  test('of two bodies that are both verified, none is chosen', async () => {
    const {signatures, one, takeStranger} = await open()
    const [first, second] = [event('WH-1'), event('WH-1', 'another', 'T-2')]
    await takeStranger(first)
    await takeStranger(second)
    await signatures.store(SHOP, [check(first, VERIFIED), check(second, VERIFIED, 'T-2')])
    const beside = `WH-1~${second.sha256.slice(0, 12)}`
    expect([await one('WH-1'), await one(beside)]).toMatchObject([
      {sender: 'verified', hasConflict: true},
      {sender: 'verified', hasConflict: true},
    ])
  })

  test('a transmission is known for longer than its event', async () => {
    const {signatures, inbox, one, takeStranger} = await open()
    const sent = event('WH-1')
    await takeStranger(sent)
    await signatures.store(SHOP, [check(sent, VERIFIED)])
    const before = new Date(sent.createdAt.getTime() + 1)
    expect(await inbox.prune(SHOP, {before, keepFailed: false})).toBe(1)
    expect(await one('WH-1')).toBeUndefined()
    const [other, again] = [event('WH-2', 'another'), {...event('WH-1'), sha256: 'of another spelling'}]
    expect(await signatures.store(SHOP, [check(other, VERIFIED)])).toMatchObject([{result: 'forged'}])
    expect(await signatures.store(SHOP, [check(again, OTHER)])).toEqual([OTHER])
    expect(await signatures.store(SHOP, [check(sent, VERIFIED)])).toEqual([VERIFIED])
  })

  test('what was verified of events that were put aside moves with them', async () => {
    const {signatures, inbox, one} = await open()
    const sent = event('WH-1')
    await inbox.add('aside:1', [sent])
    await signatures.store('aside:1', [check(sent, VERIFIED)])
    await inbox.adopt('aside:1', SHOP)
    expect(await one('WH-1')).toMatchObject({verification: 'verified'})
    const other = event('WH-2', 'another')
    expect(await signatures.store(SHOP, [check(other, VERIFIED)])).toMatchObject([{result: 'forged'}])
  })

  test('moving unchecked events keeps known verifications', async () => {
    const {signatures, inbox, one, takeStranger} = await open()
    const sent = event('WH-1')
    await takeStranger(sent)
    await signatures.store(SHOP, [check(sent, NOT_SIGNED)])
    await inbox.add('aside:1', [sent])
    await signatures.store('aside:1', [check(sent, OTHER)])
    await inbox.adopt('aside:1', SHOP)
    expect(await one('WH-1')).toMatchObject({sender: 'forged', verificationReason: 'not-signed'})
  })

  test("what the provider's list says of another body than the signed one proves no other", async () => {
    const {signatures, inbox, one, takeStranger} = await open()
    const [signed, strange] = [event('WH-1'), event('WH-1', 'another', 'T-2')]
    await takeStranger(signed)
    await signatures.store(SHOP, [check(signed, VERIFIED)])
    await takeStranger(strange)
    await inbox.add('aside:1', [{...strange, headers: [], isListed: true}])
    await inbox.adopt('aside:1', SHOP)
    expect(await one('WH-1')).toMatchObject({sender: 'verified', verificationReason: null})
    const beside = `WH-1~${strange.sha256.slice(0, 12)}`
    expect(await one(beside)).toMatchObject({sender: 'wrong-token', verification: 'not-checked'})
  })

  test('webhook ids are stored for good, the newest first', async () => {
    const {signatures} = await open()
    await signatures.addWebhookIds(SHOP, ['A', 'B'], AT)
    await signatures.addWebhookIds(SHOP, ['B'], new Date(AT.getTime() + 1))
    expect(await signatures.listWebhookIds(SHOP)).toEqual(['B', 'A'])
    expect(await signatures.listWebhookIds('https://other.test')).toEqual([])
  })
})
