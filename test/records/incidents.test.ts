import {describe, expect, test} from 'vitest'
import type {Incident} from '../../src/alerts/incident.js'
import {ENGINES} from '../support/engines.js'
import {freshPlace, recordsAt} from './support.js'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))

const TARGET = 'https://shop.example'

const incident = (id: string, changes: Partial<Incident> = {}): Incident => ({
  ...{id, target: TARGET, profile: 'shop', kind: 'shop-away', since: at(0), until: null},
  ...{cause: 'answered 503', counts: {failed: 3}, amounts: [{value: '12.50', currency: 'EUR'}]},
  ...changes,
})

describe.each(ENGINES)('incidents in $name', engine => {
  const open = async () => {
    const place = await freshPlace(engine)
    return [await recordsAt(place), await recordsAt(place)].map(({incidents}) => incidents)
  }

  test('two processes find one incident, and one of them sends its alert', async () => {
    const [one, other] = (await open()) as [
      Awaited<ReturnType<typeof open>>[number],
      Awaited<ReturnType<typeof open>>[number],
    ]
    await Promise.all([one.open(incident('a'), false), other.open(incident('b'), false)])
    const claims = await Promise.all([one.claim(TARGET, 60_000), other.claim(TARGET, 60_000)])
    const [due, none] = claims[0] ? claims : [claims[1], claims[0]]
    expect(none).toBeUndefined()
    expect(due).toEqual({state: 'open', incident: incident(due?.incident.id ?? '')})
    expect(await other.claim('https://elsewhere.example', 60_000)).toBeUndefined()
    if (due) await one.finish(due)
    expect(await other.claim(TARGET, 60_000)).toBeUndefined()
  })

  test('what is closed is due once more, and what began before that is the same incident', async () => {
    const [store] = await open()
    await store?.open(incident('a'), false)
    await store?.close(TARGET, 'shop-away', at(20), false)
    await store?.close(TARGET, 'shop-away', at(21), false)
    await store?.open(incident('b', {since: at(3)}), false)
    const first = await store?.claim(TARGET, 60_000)
    expect(first).toEqual({state: 'open', incident: incident('a')})
    if (first) await store?.finish(first)
    const second = await store?.claim(TARGET, 60_000)
    expect(second).toEqual({state: 'over', incident: incident('a', {until: at(20)})})
    if (second) await store?.finish(second)
    expect(await store?.claim(TARGET, 60_000)).toBeUndefined()
    await store?.open(incident('c', {since: at(30)}), false)
    expect((await store?.claim(TARGET, 60_000))?.incident.id).toBe('c')
  })

  test('an alert that was not sent is due again when its claim has ended', async () => {
    const [one, other] = await open()
    await one?.open(incident('a'), false)
    await one?.claim(TARGET, 60_000)
    expect(await other?.claim(TARGET, 60_000)).toBeUndefined()
    await one?.release('a', 0)
    expect((await other?.claim(TARGET, 60_000))?.incident.id).toBe('a')
    // That of an earlier start of the machine, whose clock was another.
    await one?.release('a', 864_000_000)
    expect((await other?.claim(TARGET, 60_000))?.incident.id).toBe('a')
  })

  test('an alert that was sent without the records is not due', async () => {
    const [store] = await open()
    await store?.open(incident('a'), true)
    expect(await store?.claim(TARGET, 60_000)).toBeUndefined()
    await store?.close(TARGET, 'shop-away', at(20), true)
    expect(await store?.claim(TARGET, 60_000)).toBeUndefined()
  })
})
