import {expect, test} from 'vitest'
import {findRun} from '../../src/runs/find-run.js'
import type {RunKind, RunRow} from '../../src/runs/journal/run-store.js'

/** Runs, the newest first. */
function storeOf(...kinds: readonly RunKind[]) {
  const all = kinds.map((kind, at) => ({id: `run-${at}`, kind}) as RunRow)
  return {
    list: async function* () {
      yield* all
    },
    find: async (word: string) => all.filter(({id}) => id.startsWith(word)),
  }
}

test('last is the last run that sent something, and for an undo the last resolve', async () => {
  const store = storeOf('undo', 'resolve', 'replay', 'submit')
  expect(await findRun(store, 'last')).toMatchObject({id: 'run-2'})
  expect(await findRun(store, 'last', ['resolve'])).toMatchObject({id: 'run-1'})
  expect(await findRun(store, 'run-0')).toMatchObject({kind: 'undo'})
})

test('nothing to find is named', async () => {
  await expect(findRun(storeOf('resolve'), 'last')).rejects.toThrow('No runs yet.')
  await expect(findRun(storeOf('replay'), 'last', ['resolve'])).rejects.toThrow('No resolve yet.')
  await expect(findRun(storeOf('replay'), 'x')).rejects.toThrow('Unknown run "x".')
  await expect(findRun(storeOf('replay', 'replay'), 'run')).rejects.toThrow('Several runs begin with run')
})
