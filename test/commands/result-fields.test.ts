import {expect, test} from 'vitest'
import {ORDER_RESULT_FIELDS} from '../../src/flags/order-flags.js'
import {EVENT_RESULT_FIELDS} from '../../src/flags/replay-flags.js'
import {toUnsentRow} from '../../src/order/submit/result-row.js'
import {PLAN_VIEW, toPlanRow} from '../../src/webhook/replay/replay-presentation.js'
import {REPLAY_VIEW, toReplayRow} from '../../src/webhook/replay/replay-row.js'

test('the fields that --fields takes are those of the rows', () => {
  const planned = {event: {createdAt: new Date(0), traits: {}}} as unknown as Parameters<typeof toPlanRow>[0]
  const events = {
    ...toPlanRow(planned, undefined),
    ...toReplayRow(planned, {resultClass: 'done', result: 'applied', attempts: 1}, null),
  }
  expect([...EVENT_RESULT_FIELDS].sort()).toEqual(Object.keys(events).sort())
  for (const {path} of [...REPLAY_VIEW.columns, ...PLAN_VIEW.columns])
    expect(EVENT_RESULT_FIELDS).toContain(path)
  expect([...ORDER_RESULT_FIELDS].sort()).toEqual(Object.keys(toUnsentRow('A', null)).sort())
})
