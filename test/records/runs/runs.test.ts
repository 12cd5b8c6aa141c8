import {expect, test} from 'vitest'
import {createRunStore} from '../../../src/records/runs/runs.js'
import {verifyChain} from '../../../src/runs/journal/hash-chain.js'
import type {RunRow} from '../../../src/runs/journal/run-store.js'
import {all, begun, UNHEARD} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'
import {ENGINES} from '../../support/engines.js'
import {freshPlace, tablesAt} from '../support.js'

test.each(ENGINES)(
  'on $name, records whose commit had to be made again, as another write of it failed, are all there once',
  async engine => {
    const database = await tablesAt(await freshPlace(engine))
    const runs = createRunStore(database, UNHEARD)
    const run = await begun(runs, new StoppedClock())
    const entry = {kind: 'intent' as const, orderingKey: 'l', contentHash: 'c0ffee', attempt: 1}
    const kept = ['a', 'b', 'c'].map(key => run.journal.write({...entry, item: key}))
    const failing = database.writes.run(async db => {
      await db.updateTable('run').set({profile: 'changed'}).execute()
      throw new Error('later than its change')
    })
    await expect(failing).rejects.toThrow('later than its change')
    await Promise.all(kept)
    const records = await all(runs.listRecords(run.id))
    expect(records.map(({item}) => item)).toEqual(['a', 'b', 'c'])
    const row = (await runs.find(run.id))[0] as RunRow
    expect(row.profile).toBe('shop')
    expect(await verifyChain(records, row)).toMatchObject({checked: 3, damage: []})
  },
)
