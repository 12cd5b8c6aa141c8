import {expect, test} from 'vitest'
import {
  type PlanTriageReplay,
  planReplay,
  type TriageReplay,
} from '../../../src/webhook/triage/screen/triage-plan.js'

const SELECTION = {causes: ['shop-unavailable' as const], where: undefined, ids: []}

/** The plan of a selection of so many events, and the replay that it was made of. */
async function plan(sends: number, words: readonly string[] = []) {
  const asked: TriageReplay[] = []
  const made = await planReplay(SELECTION, {
    write: (verb, {causes}, more = {}) => [
      ...['webhook', verb, '--cause', causes.join(), ...words],
      ...Object.entries(more).flatMap(([name, value]) => [`--${name}`, ...(value === true ? [] : [value])]),
    ],
    plan: (async (replay: TriageReplay) => {
      asked.push(replay)
      return {
        sends,
        preview: async () => ({presentation: {summarize: () => `${sends} would be sent`}, start: () => []}),
      }
    }) as unknown as PlanTriageReplay,
  })
  return {made, asked: asked[0] as TriageReplay}
}

test('a plan of more events than --max is made whole, says so, and its command has the new limit', async () => {
  const {made, asked} = await plan(201)
  expect(asked).toMatchObject({max: 0, 'dry-run': true, cause: ['shop-unavailable']})
  expect(made.notes).toEqual(['Limit lifted: 201 events to send, and --max is 200'])
  expect(made.command).toEqual(['webhook', 'replay', '--cause', 'shop-unavailable', '--max', '201'])
})

test('a plan within --max leaves the command as it was, and so does one without a limit', async () => {
  for (const {made} of [await plan(200), await plan(900, ['--max', 'none'])]) {
    expect(made.notes).toEqual([])
    expect(made.command).not.toContain('201')
    expect(made.command.filter(word => word === '--max').length).toBeLessThan(2)
  }
  expect((await plan(60, ['--max', '50'])).made.notes).toEqual([
    'Limit lifted: 60 events to send, and --max is 50',
  ])
})
