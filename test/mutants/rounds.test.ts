import {expect, test} from 'vitest'
import {tryInRounds} from './rounds.js'

type Outcome = 'passes' | 'fails' | 'hangs' | 'unreached' | 'ends the process'

/**
 * What came of mutants by tests of one file.
 *
 * @param decide what a test comes to in a round, from 0, with a mutant; -1 is none
 */
async function tryAll(
  reach: readonly string[][],
  decide: (test: string, mutant: number, round: number) => Outcome,
) {
  const found: Record<number, string> = {}
  let rounds = 0
  const run = async (
    asked: readonly {ids: readonly string[]}[],
    {byTest}: {byTest: Record<string, number>},
  ) => {
    const round = rounds++
    let isOver = false
    const all = asked
      .flatMap(({ids}) => ids)
      .map(id => {
        const outcome = decide(id, byTest[id] ?? -1, round)
        if (outcome === 'ends the process') isOver = true
        const state = isOver ? 'pending' : outcome === 'fails' || outcome === 'hangs' ? 'failed' : 'passed'
        const errors = outcome === 'hangs' ? [{message: 'Test timed out in 60000ms.'}] : []
        return {
          id,
          fullName: id,
          result: () => ({state, errors}),
          meta: () => ({wasReached: outcome !== 'unreached'}),
        }
      })
    return {testModules: [{children: {allTests: () => all}}], unhandledErrors: []}
  }
  const missed = await tryInRounds(
    reach.map((_, id) => ({id})),
    ({id}) => (reach[id] ?? []).map(name => ({file: 'all', id: name, cpuMs: 10})),
    {run},
    ({id}, {result, by}) => {
      expect(found[id], 'noted once').toBeUndefined()
      found[id] = by === undefined ? result : `${result} by ${by}`
    },
  )
  return {found, missed: missed.map(({id}) => id)}
}

test('a mutant is killed by the first test that fails with it, survives all that pass, or is reached by none', async () => {
  const tests = Array.from({length: 40}, (_, index) => `test ${index}`)
  const {found} = await tryAll([tests, tests, tests, []], (name, mutant) =>
    (mutant === 0 && name === 'test 17') || (mutant === 1 && name >= 'test 3') ? 'fails' : 'passes',
  )
  expect(found).toEqual({
    0: 'killed by test 17',
    1: expect.stringMatching(/^killed by test [3-9]/),
    2: 'survived',
    3: 'untested',
  })
})

test('many mutants of one quick test come to their end', async () => {
  const tests = ['only']
  const {found} = await tryAll(
    Array.from({length: 40}, () => tests),
    () => 'passes',
  )
  expect(Object.values(found)).toEqual(Array.from({length: 40}, () => 'survived'))
})

test('what fails by accident, or without a mutant too, kills nothing', async () => {
  const {found} = await tryAll(
    [
      ['once', 'other'],
      ['broken', 'sound'],
    ],
    (name, mutant, round) => {
      if (name === 'once') return round === 0 ? 'fails' : 'passes'
      return name === 'broken' || (name === 'sound' && mutant === 1) ? 'fails' : 'passes'
    },
  )
  expect(found).toEqual({0: 'survived', 1: 'killed by sound'})
})

test('a mutant that takes too long, or ends the process of its tests, does not end', async () => {
  const {found} = await tryAll([['a'], ['b', 'c'], ['d']], (name, mutant) => {
    if (mutant === 0) return 'hangs'
    return mutant === 1 && name === 'b' ? 'ends the process' : 'passes'
  })
  expect(found).toEqual({0: 'hangs by a', 1: 'hangs by b', 2: 'survived'})
})

test('a mutant that a test does not come by, as something was kept from before, is left to be tried alone', async () => {
  const {found, missed} = await tryAll([['a', 'b'], ['c']], name => (name === 'b' ? 'unreached' : 'passes'))
  expect([found, missed]).toEqual([{1: 'survived'}, [0]])
})
