import {expect, test} from 'vitest'
import type {SharedItems} from '../../../src/runs/execution.js'
import type {Item} from '../../../src/runs/journal/item.js'
import type {PlannedDelivery} from '../../../src/webhook/replay/replay-operation.js'
import {createReplayWork, type WorkDeps, type WorkRequest} from '../../../src/webhook/replay/replay-work.js'
import {currentTime} from '../../support/clock.js'
import {plannedCapture} from './replayed-payment.js'

const ENDED_AT = '2026-11-21T11:59:00.000Z'

/** An event as a worker reads it that has claimed it with an attempt in doubt. */
async function readUnsure(includeUnknown: boolean) {
  const {event, content} = plannedCapture().value
  const deps = {
    ...{
      target: 'shop',
      transactions: undefined,
      findOrdered: async () => undefined,
      clock: {now: currentTime},
    },
    store: {findLedgerEntries: async () => new Map()},
    inbox: {
      find: async () => new Map([[event.id, event]]),
      readContents: async () => new Map([[event.id, content]]),
    },
  } as unknown as WorkDeps
  const request = {
    ...{run: '01kb8z', isFounder: true, isNamed: false},
    ...{options: {includeUnknown}, transport: {via: 'shop'}},
  } as unknown as WorkRequest
  const {items} = createReplayWork(request, deps)
  const facts = {before: 'open', endedAt: ENDED_AT}
  const claimed = {item: event.id, orderingKey: 'a', isUnsure: true, metadata: null, facts}
  const [item] = await (items as SharedItems<PlannedDelivery>).read([claimed])
  return item as Item<PlannedDelivery>
}

test('an attempt in doubt counts from its own end, and is over at once only where a person released it', async () => {
  expect(await readUnsure(false)).toMatchObject({
    unsure: true,
    attemptFacts: {before: 'open', endedAt: ENDED_AT},
  })
  expect(await readUnsure(true)).toMatchObject({
    attemptFacts: {before: 'open', endedAt: new Date(0).toISOString()},
  })
})

test.each([true, false])(
  'what failed keeps the later events of its payment back, founder or not: %s',
  isFounder => {
    const request = {run: '01kb8z', isFounder, isNamed: false, options: {}, transport: {via: 'shop'}}
    expect(createReplayWork(request as unknown as WorkRequest, {} as WorkDeps)).toMatchObject({
      blocksKey: true,
      items: {isFounder},
    })
  },
)
