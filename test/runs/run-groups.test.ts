import {expect, test, vi} from 'vitest'
import {groupRuns} from '../../src/runs/report/run-fields.js'

const RUNS = [
  {who: 'ada', startedAt: '2026-11-20T23:30:00.000Z', counts: {applied: 2}},
  {who: 'bob', startedAt: '2026-11-21T00:10:00.000Z', counts: {applied: 1, held: 3}},
  {who: 'bob', startedAt: '2026-11-20T12:00:00.000Z', counts: {applied: 4}},
]

async function* list() {
  yield* RUNS
}

test.each(['Pacific/Kiritimati', 'America/Los_Angeles', 'UTC'])(
  'runs are counted by days of UTC, the newest first, on a machine in %s',
  async zone => {
    vi.stubEnv('TZ', zone)
    const groups = await groupRuns(list(), 'day')
    vi.unstubAllEnvs()
    expect(groups).toEqual([
      {
        ...{key: '2026-11-21', count: 1, first: RUNS[1]?.startedAt, last: RUNS[1]?.startedAt},
        ...{counts: {applied: 1, held: 3}, results: '1 applied, 3 held'},
      },
      {
        ...{key: '2026-11-20', count: 2, first: RUNS[2]?.startedAt, last: RUNS[0]?.startedAt},
        ...{counts: {applied: 6}, results: '6 applied'},
      },
    ])
  },
)

test('runs are counted by operator, the most first', async () => {
  const groups = await groupRuns(list(), 'operator')
  expect(groups.map(({key, count}) => [key, count])).toEqual([
    ['bob', 2],
    ['ada', 1],
  ])
})
