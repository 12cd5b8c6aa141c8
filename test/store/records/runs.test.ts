import {join} from 'node:path'
import {expect, test} from 'vitest'
import {brokenChains} from '../../../src/run/chain.js'
import type {RunRow} from '../../../src/run/store.js'
import {openDatabase} from '../../../src/store/open.js'
import {recordsMigrations} from '../../../src/store/records/migrations/index.js'
import {runStore} from '../../../src/store/records/runs.js'
import type {RecordsTables} from '../../../src/store/records/tables.js'
import {all, begun} from '../../run/support.js'
import {StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'

test('records whose commit had to be made again, as another write of it failed, are all there once', async () => {
  const file = join(temporaryFolder(), 'records.db')
  const database = await openDatabase<RecordsTables>(file, {
    migrations: recordsMigrations,
    now: () => new Date(0),
  })
  const runs = runStore(database, async () => {})
  const run = await begun(runs, new StoppedClock())
  const entry = {kind: 'intent' as const, lane: 'l', contentHash: 'c0ffee', attempt: 1}
  const kept = ['a', 'b', 'c'].map(key => run.journal.write({...entry, item: key}))
  const failing = database.writes.run(async db => {
    await db.updateTable('run').set({profile: 'changed'}).execute()
    throw new Error('later than its change')
  })
  await expect(failing).rejects.toThrow('later than its change')
  await Promise.all(kept)
  const records = await all(runs.records(run.id))
  expect(records.map(({item}) => item)).toEqual(['a', 'b', 'c'])
  const row = (await runs.find(run.id))[0] as RunRow
  expect(row.profile).toBe('shop')
  expect(await brokenChains(records, row)).toMatchObject({checked: 3, damage: []})
  await database.close()
})
