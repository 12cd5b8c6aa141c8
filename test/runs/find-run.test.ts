import {expect, test} from 'vitest'
import {findRun, findWatch} from '../../src/runs/find-run.js'
import type {RunKind, RunRow} from '../../src/runs/journal/run-store.js'
import type {WatchRow} from '../../src/runs/journal/watch-store.js'

/** Runs, the newest first. */
function storeOf(...kinds: readonly RunKind[]) {
  const all = kinds.map((kind, at) => ({id: `run-${9 - at}`, kind}) as RunRow)
  return {
    list: async function* ({kind, limit}: {kind?: RunKind | undefined; limit?: number | undefined}) {
      yield* all.filter(run => run.kind === kind).slice(0, limit)
    },
    find: async (word: string) => all.filter(({id}) => id.startsWith(word)),
  }
}

test('last is the last run that sent something, and for an undo the last resolve', async () => {
  const store = storeOf('undo', 'resolve', 'submit', 'replay')
  expect(await findRun(store, 'last')).toMatchObject({id: 'run-7'})
  expect(await findRun(store, 'last', ['resolve'])).toMatchObject({id: 'run-8'})
  expect(await findRun(store, 'run-9')).toMatchObject({kind: 'undo'})
})

test('nothing to find is named', async () => {
  await expect(findRun(storeOf('resolve'), 'last')).rejects.toThrow('No replay, submit or repair yet.')
  await expect(findRun(storeOf('replay'), 'last', ['resolve'])).rejects.toThrow('No resolve yet.')
  await expect(findRun(storeOf('replay'), 'x')).rejects.toThrow('Unknown run "x".')
  await expect(findRun(storeOf('replay', 'replay'), 'run')).rejects.toThrow('Several runs begin with run')
})

test('a watch is meant by the beginning of its id, where that is no run and no other watch', async () => {
  const all = ['watch-0', 'watch-1', 'run-0'].map(id => ({id}) as WatchRow)
  const watches = {find: async (word: string) => all.filter(({id}) => id.startsWith(word)).slice(0, 2)}
  const find = (word: string) => findWatch({runs: storeOf('replay'), watches}, word)
  expect(await find('WATCH-1')).toMatchObject({id: 'watch-1'})
  expect([await find('run'), await find('x')]).toEqual([undefined, undefined])
  await expect(find('watch')).rejects.toThrow('Several watches begin with watch')
})
