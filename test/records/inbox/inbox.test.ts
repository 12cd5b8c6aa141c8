import {randomUUID} from 'node:crypto'
import {sql} from 'kysely'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {parseListOrder} from '../../../src/language/list-order.js'
import {buildEventRow, insertEventRows} from '../../../src/records/inbox/event-rows.js'
import {openRecords, type Records} from '../../../src/records/index.js'
import type {WebhookEvent} from '../../../src/webhook/event/event.js'
import {ORDER_FIELDS, parseEventCondition} from '../../../src/webhook/event/event-fields.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import type {HandedOn, Kept} from '../../../src/webhook/inbox/capture-inbox.js'
import {BEING_HANDED_ON} from '../../../src/webhook/inbox/capture-inbox.js'
import type {ChangePosition, InboxQuery, Marking, Seen} from '../../../src/webhook/inbox/inbox.js'
import {all, begun, openMarking, thisMachine} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'
import {ENGINES, type Fresh} from '../../support/engines.js'
import {until} from '../../support/until.js'
import {tablesAt} from '../support.js'

const AT = new Date('2026-11-21T12:00:00Z')
const LATER = new Date('2026-11-21T12:00:30Z')

/** Columns of an event that have to have a value, without those that name it. */
const COPIED =
  'sha256, size_bytes, type, created_at_ms, received_at_ms, ordering_keys, traits, source, status, attempts, changed_at_ms, conflict'

interface Said {
  readonly type?: string
  readonly at?: string
  readonly more?: object
}

function event(id: string, {type = 'PAYMENT.CAPTURE.COMPLETED', at, more}: Said = {}): WebhookEvent {
  const body = JSON.stringify({id, create_time: at ?? AT.toISOString(), event_type: type, ...more})
  return eventOf(Buffer.from(body))
}

function eventOf(body: Buffer): WebhookEvent {
  const read = readEvent(body, 'file', AT)
  if ('unusable' in read) throw new Error(read.unusable)
  return read
}

const settled = (id: string, status: HandedOn['status'], answer: number | null, at = LATER): HandedOn => ({
  ...{id, status, answer, at, arrivedWith: 'token' as const, inFlightUntilMs: Number.MAX_SAFE_INTEGER},
  message: answer === null ? 'no answer' : `said ${answer}`,
})

const seen = (id: string, answer: number, at = LATER): Seen => ({
  ...{event: event(id), answer, message: null, at},
})

function signal() {
  let fire = () => {}
  const fired = new Promise<void>(resolve => {
    fire = resolve
  })
  return {fired, fire: () => fire()}
}

describe.each(ENGINES)('the inbox in $name', engine => {
  let fresh: Fresh
  /** Two who share it, as two processes do. */
  let [one, other]: Records[] = []
  let target: string
  const word = (who: string, {runs}: Records, kind: 'resolve' | 'undo' = 'resolve') =>
    openMarking(runs, target, {at: LATER, who, kind})

  beforeAll(async () => {
    fresh = await engine.fresh()
    one = await openRecords(fresh.place, () => AT)
    other = await openRecords(fresh.place, () => AT)
  })
  afterAll(async () => {
    await one?.close()
    await other?.close()
    await fresh.drop()
  })

  const ids = async (query: InboxQuery) => (await all(inbox().list(target, query))).map(({id}) => id)
  const inbox = () => (one as Records).inbox
  const inTwo = <T>(act: (records: Records) => Promise<T>) =>
    Promise.all([act(one as Records), act(other as Records)])
  const fill = (...events: WebhookEvent[]) => {
    target = `https://${randomUUID()}.test`
    return inbox().add(target, events)
  }

  test('each event is put in once, and another body under its id marks it', async () => {
    const added = await fill(event('a'), event('b'), event('a'), event('b', {type: 'OTHER'}))
    expect(added).toEqual({added: 2, known: 1, conflicts: ['b']})
    expect(await inbox().add(target, [event('a'), event('c')])).toEqual({added: 1, known: 1, conflicts: []})
    const found = await inbox().find(target, ['a', 'b', 'c', 'none'])
    expect([...found.values()].map(({id, hasConflict}) => [id, hasConflict]).sort()).toEqual([
      ['a', false],
      ['b', true],
      ['c', false],
    ])
    expect(
      Buffer.from((await inbox().readContents(target, ['a'])).get('a')?.body as Uint8Array).toString(),
    ).toBe(Buffer.from(event('a').body).toString())
  })

  test('of one id among many events the first stays the first', async () => {
    const many = Array.from({length: 1200}, (_, at) => event(`${(at * 7919) % 1200}`.padStart(4, '0')))
    const others = many.map(({id}) => event(id, {type: 'OTHER'}))
    const added = await fill(...many, ...many.slice(0, 600), ...others.slice(0, 3))
    expect(added).toEqual({added: 1200, known: 600, conflicts: ['0000', '0238', '0719']})
    const types = (await all(inbox().list(target, {types: ['OTHER']}))).map(({id}) => id.slice(0, 5))
    expect(types.sort()).toEqual(['0000~', '0238~', '0719~'])
  })

  test('a row that is there already fails the whole write', async () => {
    await fill(event('a'))
    const {writes} = await tablesAt(fresh.place)
    const insert = (...events: WebhookEvent[]) =>
      writes.run(db =>
        insertEventRows(
          db,
          events.map(each => buildEventRow(target, each)),
        ),
      )
    await expect(insert(event('b'), event('a'), event('c'))).rejects.toThrow()
    expect(await ids({})).toEqual(['a'])
  })

  test('an order number is kept with all events of its payment, a cause until its event changes', async () => {
    const capture = (id: string, key: string) =>
      event(id, {more: {resource_version: '2.0', resource_type: 'capture', resource: {custom_id: key}}})
    const [first, second] = ['0'.repeat(31).concat('1'), '0'.repeat(31).concat('2')]
    const events = [capture('a', first), capture('b', first), capture('c', second)]
    await fill(...events)
    const position = await inbox().readLastPosition()
    await inbox().noteOrders(target, new Map())
    await inbox().noteOrders(target, new Map([[events[0]?.traits.keyText as string, '10001']]))
    await inbox().noteOrders('https://another.test', new Map([[events[2]?.traits.keyText as string, 'x']]))
    await inbox().noteCauses(target, [
      {id: 'a', changedAt: AT, cause: 'not-sent'},
      {id: 'c', changedAt: AT, cause: 'not-sent'},
    ])
    const read = async () =>
      (await all(inbox().list(target, {oldestFirst: true}))).map(({id, orderNumber, cause}) => [
        id,
        orderNumber,
        cause,
      ])
    expect(await read()).toEqual([
      ['a', '10001', 'not-sent'],
      ['b', '10001', null],
      ['c', null, 'not-sent'],
    ])
    expect(await inbox().listChanges(target, {}, {after: position, size: 9})).toEqual([])
    const where = (text: string) => ids({where: parseEventCondition(text), oldestFirst: true})
    expect(await where('orderNumber starts "100"')).toEqual(['a', 'b'])
    expect(await where('orderNumber = null')).toEqual(['c'])
    await (one as Records).captures.storeResult(target, settled('a', 'failed', 400))
    expect((await read())[0]).toEqual(['a', '10001', null])
  })

  test('two who put the same in at once count each event once between them', async () => {
    await fill()
    const many = Array.from({length: 300}, (_, at) => event(`same-${at}`))
    const [first, second] = await inTwo(({inbox}) => inbox.add(target, many))
    expect((first?.added ?? 0) + (second?.added ?? 0)).toBe(300)
    expect((first?.known ?? 0) + (second?.known ?? 0)).toBe(300)
    expect(await ids({})).toHaveLength(300)
  })

  describe('is queried', () => {
    const LONG_AGO = '2026-11-01T10:59:59.999Z'
    beforeAll(async () => {
      await fill(
        event('a', {
          at: LONG_AGO,
          more: {
            ...{resource_version: '2.0', resource_type: 'capture'},
            resource: {
              ...{amount: {value: '12.50', currency_code: 'EUR'}, final_capture: true, n: 7},
              custom_id: 'f'.repeat(32),
            },
          },
        }),
        event('B', {
          type: 'PAYMENT.SALE.REFUNDED',
          more: {resource: {amount: {total: '7', currency: 'usd'}, n: '08'}},
        }),
        event('c', {
          type: 'CHECKOUT_ORDER.APPROVED',
          more: {list: ['x', {y: 1.25}], flag: true, 'odd "name"': "O'Neil"},
        }),
        event('d', {
          more: {nul: 'a\u0000b', none: null, flag: false, n: -3, text: 'Ärger', big: 900719925474099},
        }),
      )
      await (one as Records).captures.take(target, {
        ...{
          event: eventOf(Buffer.from('{"id":"e","event_type":"X"}')),
          busyMs: null,
          message: null,
          arrivedWith: 'wrong-token' as const,
          hasRoom: true,
        },
      })
      await (one as Records).captures.storeResult(target, settled('a', 'failed', 400))
      await (one as Records).captures.storeResult(target, settled('c', 'delivered', 200, AT))
    })

    test.each([
      ['status = "failed"', ['a']],
      ['status in ("failed", "DELIVERED")', ['a', 'c']],
      ['not (status = "pending")', ['a', 'c']],
      ['id = "b"', ['B']],
      ['id > "b"', ['c', 'd', 'e']],
      ['answer = null', ['B', 'd', 'e']],
      ['answer != 400', ['B', 'c', 'd', 'e']],
      ['answer > 399.5', ['a']],
      ['answer <= 200', ['c']],
      ['message contains "SAID 2"', ['c']],
      ['type starts "payment."', ['a', 'B', 'd']],
      ['type contains "_"', ['c']],
      ['createdAt < 2026-11-02T00:00:00Z', ['a']],
      ['sender = "wrong-token"', ['e']],
      ['conflict = false and attempts = 1', ['a', 'c']],
      ['finalCapture = true', ['a']],
      ['amount >= 7', ['a', 'B']],
      ['amount = 12.5', ['a']],
      ['amount = null', ['c', 'd', 'e']],
      ['currency = "EUR"', ['a']],
      ['currency in ("eur", "USD")', ['a', 'B']],
      ['body.resource.n > 6.5', ['a', 'B']],
      ['body.resource.n = 8', ['B']],
      ['body.n < 0', ['d']],
      ['body.flag = true', ['c']],
      ['body.flag = false', ['d']],
      ['body.flag != null', ['c', 'd']],
      ['body.none = null', ['a', 'B', 'c', 'd', 'e']],
      ['body.list.0 = "X"', ['c']],
      ['body.list.1.y = 1.25', ['c']],
      ['body.list.1.y starts "1.2"', ['c']],
      ['body.list.0.y = null', ['a', 'B', 'c', 'd', 'e']],
      ['body.big starts "900719925474099"', ['d']],
      ['body.text contains "RGER"', ['d']],
      ['body.text contains "ä"', []],
      ['body.flag = 1', ['c']],
      ['body.event_type contains "CAPTURE"', ['a', 'd']],
    ])('%s', async (text, expected) => {
      const found = await ids({where: parseEventCondition(text)})
      expect(found.sort()).toEqual([...expected].sort())
    })

    test.each([
      [['PAYMENT.CAPTURE.*'], ['a', 'd']],
      [
        ['payment.*.refunded', 'X'],
        ['B', 'e'],
      ],
      [['CHECKOUT_*'], ['c']],
      [['PAYMENT_*'], []],
    ])('for the types %s', async (types, expected) => {
      expect((await ids({types})).sort()).toEqual(expected)
    })

    test.each([
      ['createdAt:desc', ['e', 'd', 'c', 'B', 'a']],
      ['createdAt:asc', ['a', 'B', 'c', 'd', 'e']],
      ['answer', ['c', 'a', 'B', 'd', 'e']],
      ['answer:desc', ['a', 'c', 'B', 'd', 'e']],
      ['type:desc', ['e', 'B', 'a', 'd', 'c']],
      ['attempts:desc', ['a', 'c', 'B', 'd', 'e']],
      ['id', ['B', 'a', 'c', 'd', 'e']],
    ])('in the order %s', async (order, expected) => {
      expect(await ids({order: parseListOrder(order, ORDER_FIELDS)})).toEqual(expected)
      expect(await ids({order: parseListOrder(order, ORDER_FIELDS), limit: 2})).toEqual(expected.slice(0, 2))
    })

    test('for several statuses and a stretch of time', async () => {
      const found = await ids({statuses: ['failed', 'pending'], since: new Date(LONG_AGO), until: AT})
      expect(found).toEqual(['a'])
      expect(await ids({statuses: ['failed', 'pending', 'delivered'], limit: 2})).toEqual(['e', 'd'])
    })

    test('what events have in common', async () => {
      const byCause = await inbox().countGroups(target, {}, 'message')
      expect(byCause.map(({key, count}) => [key, count])).toEqual([
        [null, 3],
        ['said 200', 1],
        ['said 400', 1],
      ])
      const byType = await inbox().countGroups(target, {statuses: ['failed', 'pending']}, 'type')
      expect(byType[0]).toEqual({
        ...{key: 'PAYMENT.CAPTURE.COMPLETED', count: 2, statuses: {failed: 1, pending: 1}},
        ...{first: new Date(LONG_AGO), last: AT},
      })
      const [a] = await all(inbox().list(target, {ids: ['a']}))
      const known = {id: 'a', changedAt: a?.changedAt as Date}
      await inbox().noteCauses(target, [{...known, cause: 'token-mismatch'}])
      const counted = (await inbox().countGroups(target, {}, 'cause')).map(({key, count}) => [key, count])
      expect(counted).toEqual([
        [null, 3],
        ['delivered', 1],
        ['token-mismatch', 1],
      ])
      await inbox().noteCauses(target, [{...known, changedAt: new Date(0), cause: 'temporary'}])
      expect((await inbox().countGroups(target, {}, 'cause'))[0]).toMatchObject({key: null, count: 4})
      const byHour = await inbox().countGroups(target, {limit: 1}, 'hour')
      expect(byHour).toMatchObject([{key: AT, count: 4}])
      const [, first] = await inbox().countGroups(target, {}, 'hour')
      expect(first).toMatchObject({key: new Date('2026-11-01T10:00:00Z'), count: 1})
    })

    test('what events of a group are worth, exactly, whatever their amounts say', async () => {
      const at = `${target}/amounts`
      const values = [
        '0.1',
        '0.20',
        '-0.05',
        '1e3',
        '12.34567',
        '',
        '1.2.3',
        '99999999999',
        '7',
        '300',
      ] as const
      const events = values.map((value, index) => {
        const amount = {value, currency_code: index < 8 ? 'EUR' : 'JPY'}
        return event(`m${index}`, {more: {resource: {amount}}})
      })
      await inbox().add(at, [...events, event('other', {type: 'X'})])
      const groups = await inbox().countGroups(at, {}, 'type')
      const sums = await inbox().sumGroups(at, {}, 'type')
      expect(groups.map(({key}) => sums.get(key))).toEqual([
        [
          {value: '99999999999.25', currency: 'EUR'},
          {value: '307', currency: 'JPY'},
        ],
        undefined,
      ])
    })

    test('how deliveries went, and what was delivered last', async () => {
      expect(await inbox().listAttempts(target, 'a')).toEqual([
        {at: LATER, status: 'failed', answer: 400, message: 'said 400', sender: null},
      ])
    })
  })

  test('an unreadable body has no members, and fails no query', async () => {
    await fill(
      event('a', {more: {n: 1}}),
      {...event('b'), body: Buffer.from([0xff, 0x7b])},
      {...event('c'), body: Buffer.from('{"n": 1, ')},
      event('d', {more: {n: '1e999999'}}),
    )
    for (const [text, expected] of [
      ['body.n = 1', ['a']],
      ['body.n < 2', ['a']],
      ['body.n = null', ['b', 'c']],
      ['not (body.n contains "1")', ['b', 'c']],
      ['amount > 0', []],
    ] as const)
      expect((await ids({where: parseEventCondition(text)})).sort(), text).toEqual(expected)
  })

  test('more than fits into one page comes whole, in any order', async () => {
    await fill(...Array.from({length: 1700}, (_, at) => event(`${at}`, {type: `T${at % 7}`})))
    for (const order of ['createdAt:desc', 'type:desc'])
      expect(new Set(await ids({order: parseListOrder(order, ORDER_FIELDS)})).size).toBe(1700)
    expect((await ids({order: parseListOrder('type', ORDER_FIELDS), limit: 1200})).length).toBe(1200)
  })

  test('what a stranger did to an event is kept beside it, 20 times at most, each once', async () => {
    await fill(event('a'))
    const {captures} = one as Records
    const begun = {event: event('a'), busyMs: 1000, message: null, hasRoom: true}
    await captures.take(target, {...begun, arrivedWith: 'token'})
    await captures.storeResult(target, settled('a', 'delivered', 200))
    for (let at = 1; at <= 25; at++) {
      const handedOn = settled('a', 'failed', 400, new Date(LATER.getTime() + Math.ceil(at / 2)))
      await captures.storeResult(target, {...handedOn, arrivedWith: 'wrong-token', isKnown: true})
    }
    const sighting = {
      id: 'a',
      sha256: event('a').sha256,
      status: 'failed',
      answer: 401,
      message: null,
    } as const
    for (let at = 1; at <= 20; at++)
      await inbox().noteObserved(target, [{...sighting, at: new Date(at), sender: 'unverified'}])
    const attempts = await inbox().listAttempts(target, 'a')
    expect(attempts.map(({answer, sender}) => [answer, sender])).toEqual([
      [200, null],
      ...Array.from({length: 13}, () => [400, 'wrong-token']),
      ...Array.from({length: 7}, () => [401, 'unverified']),
    ])
    expect((await inbox().find(target, ['a'])).get('a')).toMatchObject({status: 'delivered', attempts: 1})
  })

  test.each([
    [199, 'failed'],
    [200, 'delivered'],
    [299, 'delivered'],
    [300, 'failed'],
  ] as const)('a sighting that was answered %i is %s, of a stranger too', async (answer, status) => {
    await fill()
    const part = {source: 'shop', from: undefined, to: '1'}
    await inbox().addObserved(target, part, [seen('a', answer)])
    expect((await inbox().find(target, ['a'])).get('a')).toMatchObject({status, attempts: 1})
    await (one as Records).captures.take(target, {
      ...{event: event('b'), busyMs: null, message: null, hasRoom: true, arrivedWith: 'token'},
    })
    await inbox().addObserved(target, {...part, from: '1', to: '2'}, [seen('b', answer)])
    expect(await inbox().listAttempts(target, 'b')).toMatchObject([{status, answer, sender: 'unverified'}])
    expect((await inbox().find(target, ['b'])).get('b')).toMatchObject({status: 'pending'})
  })

  test('every attempt is kept in its order, also of an event that failed after it was delivered', async () => {
    await fill()
    const {captures} = one as Records
    const arrival = {
      event: event('a'),
      busyMs: 1000,
      message: BEING_HANDED_ON,
      arrivedWith: 'token' as const,
      hasRoom: true,
    }
    for (const answer of [503, 200, 400]) {
      await captures.take(target, arrival)
      await captures.storeResult(target, settled('a', answer === 200 ? 'delivered' : 'failed', answer))
    }
    const attempts = await inbox().listAttempts(target, 'a')
    expect(attempts.map(({status, answer}) => [status, answer])).toEqual([
      ['failed', 503],
      ['delivered', 200],
      ['delivered', 200],
    ])
  })

  describe('changes', () => {
    const told = async (after: ChangePosition, size = 100) => {
      const changes = await inbox().listChanges(target, {}, {after, size})
      return {ids: changes.map(({event: {id}}) => id).sort(), after: changes.at(-1)?.position ?? after}
    }

    test('are listed once, however small the pages', async () => {
      await fill(event('before'))
      let after = await inbox().readLastPosition()
      const many = Array.from({length: 25}, (_, at) => `${at}`)
      await inbox().add(
        target,
        many.map(id => event(id)),
      )
      await inbox().resolve(target, ['7'], await word('ada', one as Records))
      const got: string[] = []
      // Whoever writes elsewhere in the PostgreSQL holds news back for a while, and 'before' may count as news then.
      await until('all that was written is told of', async () => {
        for (let isMore = true; isMore; ) {
          const {ids: some, after: next} = await told(after, 4)
          got.push(...some.filter(id => id !== 'before'))
          after = next
          isMore = some.length > 0
        }
        expect(got.sort()).toEqual(many.sort())
      })
      await (one as Records).captures.storeResult(target, settled('3', 'failed', 500))
      await until('the third is told of', async () => expect((await told(after)).ids).toEqual(['3']))
    })

    if (engine.name === 'SQLite')
      test('has the next number, whatever number its writer gives it', async () => {
        await fill(event('a'))
        const {revision} = await inbox().readLastPosition()
        const {writes} = await tablesAt(fresh.place)
        for (const [id, given] of [
          ['none', null],
          ['old', 1],
          ['ahead', revision + 9],
        ]) {
          await writes.run(db => {
            const columns = sql.raw(COPIED)
            return sql`
              insert into webhook_event (target, id, revision, ${columns})
              select target, ${id}, ${given}, ${columns} from webhook_event where target = ${target} and id = 'a'`.execute(
              db,
            )
          })
        }
        await inbox().add(target, [event('b'), event('c')])
        const changes = await inbox().listChanges(target, {}, {after: {revision, id: ''}, size: 9})
        expect(changes.map(({event: {id}, position}) => [id, position.revision - revision])).toEqual([
          ['none', 0],
          ['old', 1],
          ['ahead', 2],
          ['b', 3],
          ['c', 4],
        ])
      })

    if (engine.name === 'PostgreSQL')
      test('of a write that ends late are not skipped', async () => {
        await fill(event('late'))
        const after = await inbox().readLastPosition()
        const tables = await tablesAt(fresh.place)
        const [isBegun, end] = [signal(), signal()]
        const slow = tables.writes.run(async db => {
          await db.updateTable('webhook_event').set({message: 'late'}).where('target', '=', target).execute()
          isBegun.fire()
          await end.fired
        })
        await isBegun.fired
        await inbox().add(target, [event('early')])
        const first = await told(after)
        end.fire()
        await slow
        const rest = await until('the late and the early one are told of', async () => {
          const {ids} = await told(first.after)
          expect(ids).toContain('late')
          expect(ids).toContain('early')
          return ids
        })
        expect(new Set([...first.ids, ...rest])).toEqual(new Set(['early', 'late']))
      })
  })

  test('of two readers of a source at one position, one moves it on', async () => {
    await fill()
    const kept = await inTwo(({inbox}) =>
      inbox.addObserved(target, {source: 'shop', from: undefined, to: '3'}, [
        seen('a', 400),
        seen('a', 500),
        seen('b', 200),
      ]),
    )
    expect(kept.sort()).toEqual([false, true])
    const found = await inbox().find(target, ['a', 'b'])
    expect(found.get('a')).toMatchObject({attempts: 2, answer: 500, status: 'failed'})
    expect(found.get('b')).toMatchObject({attempts: 1, status: 'delivered'})
    expect(await inbox().readPosition(target, 'shop')).toBe('3')
    for (let at = 3; at < 8; at++) {
      const next = await inTwo(({inbox}) =>
        inbox.addObserved(target, {source: 'shop', from: String(at), to: String(at + 1)}, [seen('a', 503)]),
      )
      expect(next.sort()).toEqual([false, true])
      expect((await inbox().find(target, ['a'])).get('a')?.attempts).toBe(at)
    }
  })

  test('a sighting counts where it is newer, and once', async () => {
    await fill(event('a'))
    const {id, sha256} = event('a')
    const sighting = {
      id,
      sha256,
      status: 'failed',
      answer: 503,
      message: 'x',
      at: LATER,
      sender: 'token',
    } as const
    await inTwo(({inbox}) => inbox.noteObserved(target, [sighting]))
    await inbox().noteObserved(target, [{...sighting, at: AT, answer: 400}])
    expect((await inbox().find(target, ['a'])).get('a')).toMatchObject({
      ...{attempts: 1, answer: 503, changedAt: LATER},
    })
  })

  test('of two who resolve an event at once one does, and each resolution is stored once', async () => {
    await fill(event('a'), event('b'))
    const resolving = new Map<Records, Marking>()
    for (const records of [one, other] as Records[]) resolving.set(records, await word('ada', records))
    const resolved = await inTwo(records =>
      records.inbox.resolve(target, ['b', 'a'], resolving.get(records) as Marking),
    )
    for (const id of ['a', 'b'])
      expect(resolved.map(results => results.get(id)?.result).sort()).toEqual(['resolved', 'was-resolved'])
    const undoing = await word('bob', one as Records, 'undo')
    const undo = async (by: Marking) => {
      const marks = await inbox().reopen(target, ['a', 'gone'], {...undoing, resolvedBy: by.run.id})
      return [...marks.values()].map(({result}) => result)
    }
    const came = []
    for (const by of resolving.values()) came.push(await undo(by))
    expect(came.sort()).toEqual([
      ['changed', 'not-found'],
      ['reopened', 'not-found'],
    ])
    const said = await inbox().listResolutions(target, 'a')
    expect(said.map(({kind, who, statusBefore}) => [kind, who, statusBefore])).toEqual([
      ['resolved', 'ada', 'pending'],
      ['reopened', 'bob', 'resolved'],
    ])
    expect((await inbox().find(target, ['a'])).get('a')?.status).toBe('pending')
  })

  test('what is pending, has failed or is unknown is resolved, and an undo gives each its status back', async () => {
    await fill(event('pending'), event('failed'), event('unknown'), event('delivered'))
    const open = ['pending', 'failed', 'unknown']
    const {captures} = one as Records
    for (const status of ['failed', 'unknown', 'delivered'] as const)
      await captures.storeResult(target, {
        ...{id: status, status, inFlightUntilMs: null, answer: null, message: null, at: AT},
        arrivedWith: 'token',
      })
    const listed = async () =>
      new Map((await all(inbox().list(target, {}))).map(({id, status}) => [id, status]))
    const marking = await word('ada', one as Records)
    const resolved = await inbox().resolve(target, [...open, 'delivered'], marking)
    expect(new Set(open.map(id => resolved.get(id)?.result))).toEqual(new Set(['resolved']))
    expect(resolved.get('delivered')?.result).toBe('was-delivered')
    expect(new Set((await listed()).values())).toEqual(new Set(['resolved', 'delivered']))
    const undoing = await word('bob', one as Records, 'undo')
    await inbox().reopen(target, open, {...undoing, resolvedBy: marking.run.id})
    for (const [id, status] of await listed()) expect(status).toBe(id)
  })

  test('of two captures that get an event at once one finds it stored', async () => {
    await fill()
    const arrivals = Array.from({length: 20}, (_, at) => event(`a${at}`))
    const kept = await inTwo(async ({captures}) => {
      const took = []
      for (const each of arrivals)
        took.push(
          captures.take(target, {
            event: each,
            busyMs: 60_000,
            message: null,
            arrivedWith: 'token' as const,
            hasRoom: true,
          }),
        )
      return Promise.all(took)
    })
    for (const at of arrivals.keys())
      expect(kept.map(all => (all[at] as Kept).isKnown).sort(), `${at}`).toEqual([false, true])
    expect(await ids({})).toHaveLength(20)
  })

  test('an event that a capture is delivering, by the database’s clock, is in flight and not pruned', async () => {
    const transaction = '0'.repeat(32)
    const paid = event('a', {
      more: {resource_version: '2.0', resource_type: 'capture', resource: {custom_id: transaction}},
    })
    await fill(event('b'))
    await (one as Records).captures.take(target, {
      event: paid,
      busyMs: 60_000,
      message: null,
      arrivedWith: 'token' as const,
      hasRoom: true,
    })
    expect((await inbox().find(target, ['a', 'b'])).get('a')?.isInFlight).toBe(true)
    expect((await inbox().find(target, ['a', 'b'])).get('b')?.isInFlight).toBe(false)
    const findState = async () =>
      (await inbox().findPaymentEvents(target, [paid.traits.keyText as string])).get(
        paid.traits.keyText as string,
      )
    expect(await findState()).toMatchObject([{id: 'a', isInFlight: true, status: 'unknown', attempts: 0}])
    const outdated = {before: new Date(AT.getTime() + 1), keepFailed: false}
    expect(await inbox().countOutdated(target, outdated)).toMatchObject({statuses: {pending: 1}, inUse: 1})
    expect(await inbox().prune(target, outdated)).toBe(1)
    expect(await inbox().prune(target, outdated)).toBe(0)
    expect(await ids({})).toEqual(['a'])
    await (one as Records).captures.storeResult(target, settled('a', 'delivered', 200))
    expect(await findState()).toMatchObject([{id: 'a', isInFlight: false, status: 'delivered', attempts: 1}])
    expect(await inbox().prune(target, {...outdated, keepFailed: true})).toBe(1)
    expect(await inbox().listAttempts(target, 'a')).toEqual([])
  })

  test('many events are pruned at once, and what is newer stays', async () => {
    const old = Array.from({length: 1001}, (_, at) => event(`old-${at}`))
    await fill(...old, event('new', {at: LATER.toISOString()}))
    expect(await inbox().prune(target, {before: LATER, keepFailed: false})).toBe(1001)
    expect(await ids({})).toEqual(['new'])
    const bodies = [...old.map(({id}) => id), 'new']
    expect([...(await inbox().readContents(target, bodies)).keys()]).toEqual(['new'])
  })

  test('events that a planning replay may need are not pruned', async () => {
    await fill(event('a'))
    const clock = new StoppedClock(AT.toISOString())
    const run = await begun((other as Records).runs, clock, {target, machine: thisMachine})
    const outdated = {before: new Date(AT.getTime() + 1), keepFailed: false}
    expect(await inbox().prune(target, outdated)).toBe(0)
    await run.discard()
    expect(await inbox().prune(target, outdated)).toBe(1)
  })

  test('events that were put aside are moved in, and existing ones stay unchanged', async () => {
    await fill(event('a'), event('b'), event('d'))
    await (one as Records).captures.storeResult(target, settled('a', 'delivered', 200))
    const aside = `aside:${target}`
    await inbox().add(aside, [event('a'), event('b', {type: 'OTHER'}), event('c')])
    await inbox().add(aside, [event('d'), event('d', {type: 'OTHER'})])
    await inTwo(({inbox}) => inbox.adopt(aside, target))
    const found = await inbox().find(target, ['a', 'b', 'c', 'd'])
    expect([...found.values()].map(({id, status, hasConflict}) => [id, status, hasConflict]).sort()).toEqual([
      ['a', 'delivered', false],
      ['b', 'pending', true],
      ['c', 'pending', false],
      ['d', 'pending', true],
    ])
    expect((await inbox().readContents(target, ['c'])).size).toBe(1)
    expect((await inbox().find(aside, ['a', 'b', 'c', 'd'])).size).toBe(0)
    await inbox().forget(target)
    expect(await ids({})).toEqual([])
  })

  test('the newest delivery of a transaction is found by its name', async () => {
    const key = 'c'.repeat(32)
    const capture = (id: string, at: string) =>
      event(id, {
        at,
        more: {
          ...{resource_version: '2.0', resource_type: 'capture'},
          resource: {custom_id: key, amount: {value: '10.00', currency_code: 'EUR'}},
        },
      })
    const [early, late] = [capture('x', '2026-11-21T10:00:00Z'), capture('y', '2026-11-21T11:00:00Z')]
    await fill(early, late, capture('z', '2026-11-21T11:30:00Z'))
    await (one as Records).captures.storeResult(target, settled('y', 'delivered', 200))
    await (one as Records).captures.storeResult(target, settled('x', 'delivered', 200))
    const name = early.traits.keyText as string
    const find = async (sinceMs: number, withUnknown = false) => [
      ...(await inbox().findKnownResults(target, ['none', name, 'other'], {sinceMs, withUnknown})),
    ]
    const found = await find(Number.NEGATIVE_INFINITY)
    const amount = {value: '10.00', currency: 'EUR'}
    const captures = ['x', 'y'].map(id => ({id, amount}))
    expect(found).toEqual([[name, {newest: {id: 'y', createdAt: late.createdAt}, captures, unknown: []}]])
    const events = (await inbox().findPaymentEvents(target, [name])).get(name) ?? []
    expect(new Map(events.map(({id, capture: money}) => [id, money?.amount]))).toEqual(
      new Map([...['x', 'y'].map(id => [id, amount] as const), ['z', undefined]]),
    )
    expect(await find(LATER.getTime())).toEqual(found)
    const [[, later] = [name, undefined]] = await find(LATER.getTime() + 1)
    expect([later?.newest, later?.captures]).toEqual([undefined, captures])
    await (one as Records).captures.storeResult(target, settled('z', 'unknown', 504))
    expect(await find(LATER.getTime())).toEqual(found)
    const [[, {unknown}] = [name, {unknown: []}]] = await find(LATER.getTime(), true)
    expect(unknown.map(({id, status}) => [id, status])).toEqual([['z', 'unknown']])
  })
})
