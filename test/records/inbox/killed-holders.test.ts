import {describe, expect, test} from 'vitest'
import {machineClock} from '../../../src/platform/clock.js'
import {isHolderGone, nameHolder} from '../../../src/records/inbox/holders.js'
import {createRecords} from '../../../src/records/records.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {begun} from '../../runs/support.js'
import {currentTime} from '../../support/clock.js'
import {ENGINES} from '../../support/engines.js'
import {captureCompleted} from '../../support/events.js'
import {freshPlace, makeSilent, tablesAt} from '../support.js'

const SHOP = 'https://shop.test'

/** Processes of two machines on one database, of which any may end without a word. */
async function machines(engine: (typeof ENGINES)[number]) {
  const place = await freshPlace(engine)
  const ended = new Set<number>()
  const isAlive = (pid: number) => !ended.has(pid)
  const open = async (host: string, pid: number) => {
    const machine = {who: 'ada', host, pid, processStart: '1', isAlive}
    return {machine, ...createRecords(await tablesAt(place), machine)}
  }
  return {place, open, end: (pid: number) => ended.add(pid)}
}

const sent = readEvent(Buffer.from(captureCompleted().body), 'capture', currentTime(), [])
if ('unusable' in sent) throw new Error(sent.unusable)
const payment = sent.traits.keyText as string

describe.each(ENGINES)('a process that was killed, in $name', engine => {
  test('a capture: its events are free at once for who sees that it ended, and after their lease for others', async () => {
    const {open, end} = await machines(engine)
    const {captures} = await open('desk', 1)
    const [here, elsewhere] = [await open('desk', 2), await open('laptop', 3)]
    const arrival = {event: sent, busyMs: 30_000, arrivedWith: 'token' as const, hasRoom: true, message: null}
    await captures.take(SHOP, arrival)
    const look = async ({inbox}: typeof here) => [
      (await inbox.find(SHOP, [sent.id])).get(sent.id)?.isInFlight,
      (await inbox.findPaymentEvents(SHOP, [payment])).get(payment)?.[0]?.isInFlight,
    ]
    expect([await look(here), await look(elsewhere)]).toEqual([
      [true, true],
      [true, true],
    ])
    end(1)
    expect([await look(here), await look(elsewhere)]).toEqual([
      [false, false],
      [true, true],
    ])
    await here.captures.take(SHOP, arrival)
    expect(await look(here)).toEqual([true, true])
  })

  test('a replay: its payments are free at once for who sees that it ended, and after its lease for others', async () => {
    const {place, open, end} = await machines(engine)
    const {inbox, runs, machine} = await open('desk', 1)
    const [here, elsewhere] = [(await open('desk', 2)).captures, (await open('laptop', 3)).captures]
    await inbox.add(SHOP, [sent])
    const run = await begun(runs, machineClock, {target: SHOP, machine})
    const item = {item: sent.id, orderingKey: payment, contentHash: sent.sha256, attempt: 1}
    await run.journal.write({kind: 'intent', ...item})
    const look = () => Promise.all([here, elsewhere].map(captures => captures.findReplay(SHOP, payment, 'x')))
    expect(await look()).toEqual([run.id, run.id])
    end(1)
    expect(await look()).toEqual([undefined, run.id])
    await makeSilent(place, 30_001)
    expect(await look()).toEqual([undefined, undefined])
    await run.discard()
  })

  test('a replay that lives keeps its payments, however long it is silent', async () => {
    const {place, open} = await machines(engine)
    const {inbox, runs, machine} = await open('desk', 1)
    const {captures} = await open('desk', 2)
    await inbox.add(SHOP, [sent])
    const run = await begun(runs, machineClock, {target: SHOP, machine})
    const item = {item: sent.id, orderingKey: payment, contentHash: sent.sha256, attempt: 1}
    await run.journal.write({kind: 'intent', ...item})
    await makeSilent(place, 60_000)
    expect(await captures.findReplay(SHOP, payment, 'x')).toBe(run.id)
    await run.discard()
  })

  if (engine.name === 'PostgreSQL')
    test('a capture: its turn is free for the next one there', async () => {
      const {open, end} = await machines(engine)
      const [first, here, elsewhere] = [await open('desk', 1), await open('desk', 2), await open('laptop', 3)]
      expect(await first.turns?.take(SHOP, ['a', 'b'], 'one', 45_000)).toBe(true)
      expect(await here.turns?.take(SHOP, ['b'], 'two', 45_000)).toBe(false)
      end(1)
      expect(await elsewhere.turns?.take(SHOP, ['b'], 'two', 45_000)).toBe(false)
      expect(await here.turns?.take(SHOP, ['b'], 'two', 45_000)).toBe(false)
      expect(await here.turns?.take(SHOP, ['b'], 'two', 45_000)).toBe(true)
      expect(await elsewhere.turns?.take(SHOP, ['b', 'c'], 'three', 45_000)).toBe(false)
      await here.turns?.leave(SHOP, 'two')
      expect(await elsewhere.turns?.take(SHOP, ['b', 'c'], 'three', 45_000)).toBe(true)
    })
})

test('of processes only one of this machine is seen to have ended, and what names none may be held', () => {
  const local = {who: 'ada', host: 'desk', pid: 1, processStart: '1', isAlive: () => false}
  expect(isHolderGone(nameHolder({...local, pid: 2}), local)).toBe(true)
  expect(isHolderGone(nameHolder({...local, pid: 2}), {...local, isAlive: () => true})).toBe(false)
  expect(isHolderGone(nameHolder({...local, host: 'laptop'}), local)).toBe(false)
  expect(isHolderGone(null, local)).toBe(false)
})
