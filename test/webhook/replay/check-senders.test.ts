import {expect, test} from 'vitest'
import {checkSenders} from '../../../src/webhook/replay/check-senders.js'
import {StoppedClock} from '../../support/clock.js'
import {plannedCapture} from './replayed-payment.js'

/** A plan with one event that is held for its sender alone. */
function check(offline: boolean) {
  const {event} = plannedCapture().value
  const entry = {event: {...event, sender: 'unverified'}, action: 'hold', reason: 'unverified', detail: null}
  const said: string[] = []
  const plan = {
    totals: {askable: 1},
    listEntries: async function* () {
      yield entry
    },
  }
  return checkSenders(plan as never, {offline}, {
    inbox: {find: async () => new Map(), readContents: async () => new Map(), add: async () => ({})},
    openVerifier: async () => {
      said.push('signatures')
      return {verify: async () => []}
    },
    openProvider: async () => {
      throw new Error('nobody is asked')
    },
    ...{target: 'shop', clock: new StoppedClock(), stopping: new AbortController().signal, source: {}},
    note: async (text: string) => void said.push(text),
  } as never).then(isNew => [isNew, said])
}

test('a plan that is made offline checks no signature and asks nobody, and says so', async () => {
  expect(await check(true)).toEqual([false, ['1 sender not checked: --offline']])
})

test('otherwise signatures are checked before the provider is asked', async () => {
  await expect(check(false)).rejects.toThrow('nobody is asked')
})
