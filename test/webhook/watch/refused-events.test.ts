import {expect, test} from 'vitest'
import {findProvider} from '../../../src/providers/providers.js'
import type {JournalEntry, LedgerEntry} from '../../../src/runs/journal/journal-entry.js'
import {recoverOpenItems} from '../../../src/runs/journal/recover-open-items.js'
import type {OpenItem} from '../../../src/runs/journal/run-store.js'
import type {InboxEvent} from '../../../src/webhook/event/event.js'
import {leaveOutRefused} from '../../../src/webhook/watch/refused-events.js'
import {all} from '../../runs/support.js'

const NOW = new Date('2026-11-21T12:00:00Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const WRONG_TOKEN = findProvider('paypal').answers.wrongToken as string

type Known = Partial<InboxEvent> & {readonly ledger?: Partial<LedgerEntry>}

/** What is left of events, the oldest first, and until when others wait. @param lostAfter minutes */
async function send(events: Record<string, Known>, lostAfter: number | undefined = 10) {
  const waits: Date[] = []
  const given = Object.entries(events).map(([id, event]) => ({
    ...{id, orderingKeys: [id], createdAt: ago(60), changedAt: ago(1), status: 'failed', ...event},
  })) as unknown as InboxEvent[]
  const left = leaveOutRefused(
    (async function* () {
      yield* given
    })(),
    {
      ...{target: 'shop', provider: 'paypal', now: NOW, onWait: until => waits.push(until)},
      presumeLostAfterMs: lostAfter === undefined ? undefined : lostAfter * 60_000,
      store: {
        findLedgerEntries: async (kind, target, ids) => {
          expect([kind, target]).toEqual(['replay', 'shop'])
          const found = ids.flatMap(id => {
            const ledger = events[id]?.ledger
            return ledger
              ? [[id, {resultClass: 'failed', at: ago(1), ...ledger} as LedgerEntry] as const]
              : []
          })
          return new Map(found)
        },
      },
    },
  )
  return {left: (await all(left)).map(({id}) => id), waits}
}

test('what was refused for what it is waits for half of its age, and for 10 minutes at least', async () => {
  const refused = {resultClass: 'failed', result: 'failed', status: 400, detail: 'Invalid amount'} as const
  const {left, waits} = await send({
    old: {createdAt: ago(61), ledger: {...refused, at: ago(1)}},
    new: {createdAt: ago(2), ledger: {...refused, at: ago(1)}},
    rejected: {createdAt: ago(2), ledger: {resultClass: 'failed', result: 'rejected', at: ago(2)}},
    waited: {createdAt: ago(60), ledger: {...refused, at: ago(40)}},
  })
  expect(left).toEqual(['waited'])
  expect(waits).toEqual([ago(-29), ago(-9), ago(-8)])
})

test('what failed because the shop was away, or refused its token, does not wait', async () => {
  const {left} = await send({
    never: {},
    away: {ledger: {result: 'failed', status: 503}},
    token: {ledger: {result: 'failed', status: 400, detail: WRONG_TOKEN}},
    done: {ledger: {resultClass: 'done', result: 'applied'}},
  })
  expect(left).toEqual(['never', 'away', 'token', 'done'])
})

test('what is behind one that waits waits with it, whichever of its ordering keys they share', async () => {
  const ledger = {result: 'rejected'}
  const {left, waits} = await send({
    first: {orderingKeys: ['a', 'b'], ledger},
    other: {orderingKeys: ['c']},
    behind: {orderingKeys: ['b', 'd']},
    last: {orderingKeys: ['d']},
  })
  expect(left).toEqual(['other'])
  expect(waits).toHaveLength(1)
})

test('an unknown result waits where it was looked up after its call counted as lost, and is still unknown', async () => {
  const unknown = (at: number) => ({
    createdAt: ago(120),
    ledger: {resultClass: 'unknown', result: 'unknown', at: ago(at), facts: {endedAt: ago(30).toISOString()}},
  })
  const events = {before: unknown(21), after: unknown(20)} as Record<string, Known>
  expect((await send(events)).left).toEqual(['before'])
  expect((await send(events, 11)).left).toEqual(['before', 'after'])
})

test('an unknown result of a run that was killed waits for nothing: it was not looked up', async () => {
  const [entry] = recoverOpenItems([{last: LAST_OF_KILLED} as unknown as OpenItem], 'other', ago(1))
  const {resultClass, result, detail, facts} = entry as JournalEntry
  const ledger = {resultClass, result, detail, facts, at: ago(1)}
  const events = {killed: {createdAt: ago(120), ledger}} as Record<string, Known>
  expect((await send(events)).left).toEqual(['killed'])
})

/** Its run was killed half an hour ago, when its call was given up. */
const LAST_OF_KILLED = {
  ...{kind: 'answer', resultClass: 'unknown', item: 'killed', orderingKey: '', contentHash: '', attempt: 1},
  facts: {endedAt: ago(30).toISOString()},
}
