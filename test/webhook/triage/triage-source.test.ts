import {expect, test} from 'vitest'
import {buildTriage} from '../../../src/app/webhook/triage.js'
import type {InboxEvent} from '../../../src/webhook/event/event.js'
import type {InboxQuery} from '../../../src/webhook/inbox/inbox.js'
import {all} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'
import {group} from './opened-screen.js'

/** What the screen reads, of an inbox without events that notes what it is asked. */
async function sourceOf(more: object = {}) {
  const asked: InboxQuery[] = []
  const inbox = {
    list: async function* (_target: string, query: InboxQuery) {
      asked.push(query)
      yield* [] as InboxEvent[]
    },
    countGroups: async (_target: string, query: InboxQuery) => {
      asked.push(query)
      return []
    },
  }
  const loadDiagnosis = async () => ({
    buildDiagnoseDeps: async () => ({inbox, target: 'shop', signal: new AbortController().signal}),
  })
  const [host, adapters] = [{clock: new StoppedClock()}, {chooseProfile: async () => ({name: 'shop'})}]
  const request = {typed: [], loadDiagnosis, 'check-state': false, ...more}
  return {asked, source: await buildTriage(host as never, adapters as never, request as never)}
}

test('a group is read from its first event to its last one', async () => {
  const {asked, source} = await sourceOf()
  const one = group('not-sent', 2)
  await all(source.listGroup(one, undefined))
  expect(asked[0]?.since?.toISOString()).toBe(one.firstAt)
  // The first moment that is too late.
  expect(asked[0]?.until?.getTime()).toBe(Date.parse(one.lastAt) + 1)
})

test('hours are counted of what the list has, and of no cause', async () => {
  const {asked, source} = await sourceOf({type: ['A']})
  expect(await source.countHours('attempts > 1', 48)).toEqual([])
  expect(asked).toMatchObject([{types: ['A'], limit: 48, statuses: ['failed', 'pending', 'unknown']}])
  const chosen = await sourceOf({cause: ['not-sent']})
  expect(await chosen.source.countHours(undefined, 48)).toEqual([])
  expect(chosen.asked).toEqual([])
})
