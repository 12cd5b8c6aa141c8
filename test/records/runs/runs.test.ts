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

test.each(ENGINES)(
  'on $name, of an item that ended again the last end counts, in all that it says',
  async engine => {
    const runs = createRunStore(await tablesAt(await freshPlace(engine)), UNHEARD)
    const clock = new StoppedClock()
    const item = {item: 'a', orderingKey: 'a'} as const
    const entry = {...item, kind: 'result'} as const
    const first = await begun(runs, clock)
    const before = {before: 'open'}
    await first.journal.write({...item, kind: 'intent', contentHash: 'c0ffee', attempt: 1})
    await first.journal.write({
      ...{
        ...entry,
        contentHash: 'c0ffee',
        attempt: 1,
        resultClass: 'unknown',
        result: 'unknown',
        status: 504,
      },
      ...{detail: 'no answer', facts: before},
    })
    await first.end({isComplete: false})
    const find = async () => (await runs.findLedgerEntries('replay', first.ref.target, ['a'])).get('a')
    expect(await find()).toMatchObject({result: 'unknown', runId: first.id, facts: before})
    clock.advance(1000)
    const second = await begun(runs, clock)
    const at = clock.now()
    await second.journal.write({...item, kind: 'intent', contentHash: 'beef', attempt: 3})
    await second.journal.write({
      ...{...entry, contentHash: 'beef', attempt: 3, resultClass: 'done', result: 'applied', status: 200},
      detail: 'paid',
    })
    await second.end({isComplete: true})
    expect(await find()).toMatchObject({
      ...{contentHash: 'beef', resultClass: 'done', result: 'applied', status: 200, detail: 'paid'},
      ...{attempts: 3, at, runId: second.id},
    })
    expect((await find())?.facts).toBeUndefined()
  },
)
