import {describe, expect, test} from 'vitest'
import type {Records} from '../../../src/records/index.js'
import type {InboxEvent, WebhookEvent} from '../../../src/webhook/event/event.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {
  BEING_HANDED_ON,
  type HandedOn,
  type Kept,
  NOT_STORED,
  readNotStored,
} from '../../../src/webhook/inbox/capture-inbox.js'
import {begun, thisMachine} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'
import {ENGINES} from '../../support/engines.js'
import {captureCompleted} from '../../support/events.js'
import {freshPlace, recordsAt, tablesAt} from '../support.js'

const SHOP = 'https://shop.test'
const AT = new Date('2026-11-21T12:00:00Z')
const LATER = new Date('2026-11-21T12:00:30Z')

function event(id: string, summary = 'one', receivedAt = AT): WebhookEvent {
  return readSent(JSON.stringify({id, event_type: 'PAYMENT.CAPTURE.COMPLETED', summary}), receivedAt)
}

function readSent(body: string, receivedAt = AT): WebhookEvent {
  const read = readEvent(Buffer.from(body), 'capture', receivedAt, [['X-Sent', 'by the provider']])
  if ('unusable' in read) throw new Error(read.unusable)
  return read
}

const proven = (sent: WebhookEvent, busyMs: number | null = 30_000) => ({
  ...{event: sent, busyMs, arrivedWith: 'token' as const, hasRoom: true},
  message: busyMs === null ? null : BEING_HANDED_ON,
})
const stranger = (sent: WebhookEvent) => ({...proven(sent), arrivedWith: 'wrong-token' as const})

function answered(id: string, status: HandedOn['status'], answer: number, isProven = true): HandedOn {
  return {
    id,
    status,
    answer,
    message: `said ${answer}`,
    at: LATER,
    arrivedWith: isProven ? 'token' : 'wrong-token',
    inFlightUntilMs: Number.MAX_SAFE_INTEGER,
  }
}

async function one({inbox}: Records, id: string): Promise<InboxEvent> {
  return (await inbox.find(SHOP, [id])).get(id) as InboxEvent
}

describe.each(ENGINES)('an inbox in $name', engine => {
  const records = async () => recordsAt(await freshPlace(engine), () => AT)

  test('an arrival is unknown until its answer has been written down', async () => {
    const opened = await records()
    const {captures, inbox} = opened
    expect(await captures.take(SHOP, proven(event('WH-1')))).toMatchObject({
      id: 'WH-1',
      isKnown: false,
      wasDelivered: false,
    })
    expect(await one(opened, 'WH-1')).toMatchObject({
      status: 'unknown',
      message: BEING_HANDED_ON,
      isInFlight: true,
      attempts: 0,
    })
    const content = (await inbox.readContents(SHOP, ['WH-1'])).get('WH-1')
    expect(content?.headers).toContainEqual(['X-Sent', 'by the provider'])

    await captures.storeResult(SHOP, answered('WH-1', 'failed', 400))
    expect(await one(opened, 'WH-1')).toMatchObject({
      status: 'failed',
      answer: 400,
      message: 'said 400',
      isInFlight: false,
      attempts: 1,
    })
  })

  test('an event that is only stored is pending', async () => {
    const opened = await records()
    await opened.captures.take(SHOP, proven(event('WH-1'), null))
    expect(await one(opened, 'WH-1')).toMatchObject({status: 'pending', message: null, isInFlight: false})
  })

  test('the same event again is one more attempt, and in the inbox once', async () => {
    const opened = await records()
    const {captures} = opened
    for (const answer of [503, 200]) {
      await captures.take(SHOP, proven(event('WH-1')))
      await captures.storeResult(SHOP, answered('WH-1', answer === 200 ? 'delivered' : 'failed', answer))
    }
    expect(await one(opened, 'WH-1')).toMatchObject({status: 'delivered', answer: 200, attempts: 2})
    expect(await captures.countByStatus(SHOP)).toEqual(new Map([['delivered', 1]]))
  })

  test('an event stays in flight while another call of it is on its way', async () => {
    const opened = await records()
    const {captures} = opened
    const take = async () => (await captures.take(SHOP, proven(event('WH-1')))) as Kept
    const [first, second] = [await take(), await take()]
    await captures.storeResult(SHOP, {...answered('WH-1', 'failed', 400), ...first})
    expect(await one(opened, 'WH-1')).toMatchObject({isInFlight: true})
    await captures.storeResult(SHOP, {...answered('WH-1', 'failed', 400), ...second})
    expect(await one(opened, 'WH-1')).toMatchObject({isInFlight: false})
  })

  test('a call that fails does not tell what came of another that was given up meanwhile', async () => {
    const opened = await records()
    const {captures} = opened
    const take = async () => (await captures.take(SHOP, proven(event('WH-1')))) as Kept
    const [first, second, third] = [await take(), await take(), await take()]
    await captures.storeResult(SHOP, {...answered('WH-1', 'failed', 400), ...third})
    expect(await one(opened, 'WH-1')).toMatchObject({status: 'failed'})
    await captures.storeResult(SHOP, {...answered('WH-1', 'unknown', 504), ...first})
    await captures.storeResult(SHOP, {...answered('WH-1', 'failed', 400), ...second})
    expect(await one(opened, 'WH-1')).toMatchObject({status: 'unknown', isInFlight: false})
    const again = await take()
    await captures.storeResult(SHOP, {...answered('WH-1', 'delivered', 200), ...again})
    expect(await one(opened, 'WH-1')).toMatchObject({status: 'delivered'})
  })

  test('a replay has a payment from an intent to its answer', async () => {
    const {captures, inbox, runs} = await records()
    const sent = readSent(captureCompleted().body)
    const payment = sent.traits.keyText as string
    await inbox.add(SHOP, [sent])
    const run = await begun(runs, new StoppedClock('2099-01-01T00:00:00Z'), {
      target: SHOP,
      machine: thisMachine,
    })
    const item = {item: sent.id, orderingKey: payment, contentHash: sent.sha256, attempt: 1}
    await run.journal.write({kind: 'intent', ...item})
    expect(await captures.findReplay(SHOP, payment, 'x')).toBe(run.id)
    expect(await captures.findReplay(SHOP, 'id:other', 'x')).toBeUndefined()
    await run.journal.write({kind: 'result', ...item, resultClass: 'failed', result: 'failed'})
    expect(await captures.findReplay(SHOP, payment, 'x')).toBeUndefined()
    await run.discard()
  })

  test('so has a repair, but for the event that it asked the provider for', async () => {
    const {captures, runs} = await records()
    const run = await begun(runs, new StoppedClock('2099-01-01T00:00:00Z'), {
      ...{kind: 'repair', target: SHOP, machine: thisMachine},
    })
    const id = 'a'.repeat(32)
    const item = {item: id, orderingKey: `transaction:${id}`, contentHash: '', attempt: 1}
    const look = (event: string) => captures.findReplay(SHOP, `id:${id}`, event)
    await run.journal.write({kind: 'intent', ...item})
    expect(await look('WH-1')).toBe(run.id)
    await run.journal.write({kind: 'result', ...item, resultClass: 'failed', result: 'failed'})
    expect(await look('WH-1')).toBeUndefined()
    const facts = {via: 'provider', event: 'WH-1'}
    await run.journal.write({kind: 'intent', ...item, attempt: 2, facts})
    expect([await look('WH-1'), await look('WH-2')]).toEqual([undefined, run.id])
    await run.journal.write({
      kind: 'result',
      ...item,
      attempt: 2,
      facts,
      resultClass: 'failed',
      result: 'failed',
    })
    expect(await look('WH-2')).toBeUndefined()
    await run.discard()
  })

  test('a submit has no payment, whatever its references are', async () => {
    const {captures, runs} = await records()
    const run = await begun(runs, new StoppedClock('2099-01-01T00:00:00Z'), {
      ...{kind: 'submit', target: SHOP, machine: thisMachine},
    })
    const reference = 'a'.repeat(32)
    const item = {item: reference, orderingKey: reference, contentHash: '', attempt: 1}
    await run.journal.write({kind: 'intent', ...item})
    expect(await captures.findReplay(SHOP, `id:${reference}`, 'WH-1')).toBeUndefined()
    await run.discard()
  })

  test('what was delivered does not fail again, and keeps the time when it was', async () => {
    const opened = await records()
    const {captures} = opened
    await captures.take(SHOP, proven(event('WH-1')))
    await captures.storeResult(SHOP, answered('WH-1', 'delivered', 200))
    const after = new Date('2026-11-21T13:00:00Z')
    const again = await captures.take(SHOP, proven(event('WH-1', 'one', after)))
    expect(again).toMatchObject({id: 'WH-1', isKnown: true, wasDelivered: true})
    await captures.storeResult(SHOP, {...answered('WH-1', 'failed', 400), at: after})
    expect(await one(opened, 'WH-1')).toMatchObject({
      status: 'delivered',
      answer: 200,
      changedAt: LATER,
      attempts: 2,
    })
  })

  test('another body under the same id is kept beside it, and both are marked', async () => {
    const opened = await records()
    const {captures, inbox} = opened
    await captures.take(SHOP, proven(event('WH-1', 'one')))
    const {id} = (await captures.take(SHOP, proven(event('WH-1', 'two')))) as Kept
    expect(id).toBe(`WH-1~${event('WH-1', 'two').sha256.slice(0, 12)}`)
    expect(await one(opened, 'WH-1')).toMatchObject({hasConflict: true})
    expect(await one(opened, id)).toMatchObject({hasConflict: true})
    expect(Buffer.from((await inbox.readContents(SHOP, [id])).get(id)?.body ?? []).toString()).toContain(
      'two',
    )
    await captures.take(SHOP, proven(event('WH-1', 'two')))
    expect(await captures.countByStatus(SHOP)).toEqual(new Map([['unknown', 2]]))
  })

  test('a delivery with the content of the provider’s list is the same body', async () => {
    const opened = await records()
    const {body, ...told} = event('WH-1')
    const links = [{href: 'https://api.example/WH-1', rel: 'self', encType: 'application/json'}]
    const respelled = Buffer.from(
      JSON.stringify({links, ...JSON.parse(Buffer.from(body).toString())}, null, 1),
    )
    const listed = readEvent(respelled, 'provider api.example', AT) as WebhookEvent
    expect(listed.sha256).not.toBe(told.sha256)
    await opened.inbox.add(SHOP, [listed])
    const taken = await opened.captures.take(SHOP, proven(event('WH-1')))
    expect(taken).toMatchObject({id: 'WH-1', isKnown: true, wasDelivered: false})
    expect(await one(opened, 'WH-1')).toMatchObject({hasConflict: false, status: 'unknown'})
  })

  test("a stranger's body marks nothing of the provider's", async () => {
    const opened = await records()
    await opened.captures.take(SHOP, proven(event('WH-1', 'true')))
    const {id} = (await opened.captures.take(SHOP, stranger(event('WH-1', 'forged')))) as Kept
    expect(await one(opened, 'WH-1')).toMatchObject({hasConflict: false, sender: 'token'})
    expect(await one(opened, id)).toMatchObject({hasConflict: true, sender: 'wrong-token'})
  })

  test("a stranger's body gives way to the provider's", async () => {
    const opened = await records()
    const {captures, inbox} = opened
    await captures.take(SHOP, stranger(event('WH-1', 'forged')))
    expect(await captures.take(SHOP, proven(event('WH-1', 'true')))).toMatchObject({
      id: 'WH-1',
      isKnown: false,
    })
    expect(await one(opened, 'WH-1')).toMatchObject({hasConflict: false, sender: 'token'})
    expect(
      Buffer.from((await inbox.readContents(SHOP, ['WH-1'])).get('WH-1')?.body ?? []).toString(),
    ).toContain('true')
  })

  test("what a stranger's body came to says nothing of the provider's, and what the provider's came to stays", async () => {
    const opened = await records()
    const {captures, inbox} = opened
    const listed = (id: string) => inbox.add(SHOP, [{...event(id, 'listed'), isListed: true}])
    await captures.take(SHOP, stranger(event('WH-1', 'forged')))
    await captures.storeResult(SHOP, answered('WH-1', 'failed', 400, false))
    await listed('WH-1')
    expect(await one(opened, 'WH-1')).toMatchObject({status: 'pending', answer: null, attempts: 0})
    await captures.take(SHOP, proven(event('WH-2', 'another')))
    await captures.storeResult(SHOP, answered('WH-2', 'delivered', 200))
    await listed('WH-2')
    expect(await one(opened, 'WH-2')).toMatchObject({status: 'delivered', answer: 200, attempts: 1})
  })

  test("the provider's own call of what a stranger sent goes on with that event, and proves it", async () => {
    const opened = await records()
    const {captures} = opened
    await captures.take(SHOP, stranger(event('WH-1')))
    await captures.storeResult(SHOP, answered('WH-1', 'failed', 400, false))
    const before = await one(opened, 'WH-1')
    expect(before).toMatchObject({sender: 'wrong-token', attempts: 1})
    expect(await captures.take(SHOP, proven(event('WH-1', 'one', LATER)))).toMatchObject({isKnown: true})
    await captures.storeResult(SHOP, answered('WH-1', 'delivered', 200))
    const after = await one(opened, 'WH-1')
    expect(after).toMatchObject({sender: 'token', attempts: 2, status: 'delivered'})
    expect(after.receivedAt).toEqual(before.receivedAt)
  })

  test('the shop itself may show that the sender was no stranger', async () => {
    const opened = await records()
    await opened.captures.take(SHOP, stranger(event('WH-1')))
    await opened.captures.storeResult(SHOP, answered('WH-1', 'failed', 400, false))
    expect(await one(opened, 'WH-1')).toMatchObject({sender: 'wrong-token'})
    await opened.captures.storeResult(SHOP, answered('WH-1', 'failed', 400, true))
    expect(await one(opened, 'WH-1')).toMatchObject({sender: 'token'})
  })

  test('a call that proved nothing changes no event that is there', async () => {
    const opened = await records()
    const {captures} = opened
    for (const status of ['failed', 'unknown'] as const) {
      await captures.take(SHOP, proven(event('WH-1')))
      await captures.storeResult(SHOP, answered('WH-1', status, 500))
      const before = await one(opened, 'WH-1')
      expect(await captures.take(SHOP, stranger(event('WH-1', 'one', LATER)))).toMatchObject({isKnown: true})
      await captures.storeResult(SHOP, answered('WH-1', 'failed', 400, false))
      expect(await one(opened, 'WH-1')).toEqual(before)
    }
  })

  test('a new event is not put in where there is no room, and one that is there is found', async () => {
    const {captures} = await records()
    const arrival = {...proven(event('WH-1')), hasRoom: false}
    expect(await captures.take(SHOP, arrival)).toBe('no-room')
    await captures.take(SHOP, proven(event('WH-1')))
    expect(await captures.take(SHOP, arrival)).toMatchObject({isKnown: true})
    expect(await captures.take(SHOP, {...stranger(event('WH-1', 'forged')), hasRoom: false})).toBe('no-room')
    const {body} = event('WH-1')
    const bytes = await captures.countBytes(SHOP, 'capture', 100)
    expect(bytes).toBeGreaterThan(body.length + 100)
    expect(bytes).toBeLessThan(body.length + 300)
    expect(await captures.countBytes(SHOP, 'elsewhere', 100)).toBe(0)
  })

  test('calls that were not stored add up, and begin anew after a week without any', async () => {
    const {captures, inbox} = await records()
    const at = new Date('2026-11-01T00:00:00Z')
    for (const calls of [2, 3]) await captures.noteNotStored(SHOP, calls, at)
    const read = async (now: Date) => readNotStored(await inbox.readPosition(SHOP, NOT_STORED), now)
    expect(await read(at)).toBe(5)
    const later = new Date('2026-11-09T00:00:00Z')
    expect(await read(later)).toBe(0)
    await captures.noteNotStored(SHOP, 1, later)
    expect(await read(later)).toBe(1)
  })

  test('a test write leaves the inbox unchanged', async () => {
    const {captures} = await records()
    await captures.tryToWrite()
    await captures.tryToWrite()
    expect(await captures.countByStatus(SHOP)).toEqual(new Map())
  })

  test('each test write changes something, so that a full disk is noticed', async () => {
    const place = await freshPlace(engine)
    const {captures} = await recordsAt(place, () => AT)
    const {reads} = await tablesAt(place)
    const written: string[] = []
    for (let count = 0; count < 3; count++) {
      await captures.tryToWrite()
      written.push(JSON.stringify(await reads.selectFrom('webhook_source').selectAll().execute()))
    }
    expect(written.filter((text, at) => text !== written[at - 1])).toHaveLength(3)
    expect(written[0]).not.toBe('[]')
  })
})
