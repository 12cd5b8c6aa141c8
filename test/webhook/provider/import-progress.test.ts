import {expect, test} from 'vitest'
import {ImportProgress} from '../../../src/webhook/provider/import-progress.js'

const asked = {source: 'provider', asked: 'all', now: () => new Date(0)}

test('what is still to be had is asked for from the latest on, whatever was had around it', async () => {
  const inbox = {readPosition: async () => undefined, addObserved: async () => true}
  const progress = await ImportProgress.open('shop', inbox, asked)
  await progress.note({from: 20, to: 30})
  await progress.note({from: 50, to: 60})
  await progress.note({from: 80, to: 90})
  expect(progress.listRemaining({from: 0, to: 70})).toEqual([
    {from: 60, to: 70},
    {from: 30, to: 50},
    {from: 0, to: 20},
  ])
  expect(progress.listRemaining({from: 22, to: 28})).toEqual([])
})
