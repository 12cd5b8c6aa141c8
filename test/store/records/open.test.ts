import {expect, test} from 'vitest'
import {openDatabase} from '../../../src/store/open.js'
import {runs as runsStep} from '../../../src/store/records/migrations/001-runs.js'
import {webhooks as webhooksStep} from '../../../src/store/records/migrations/002-webhooks.js'
import {openRecords} from '../../../src/store/records/open.js'
import type {RecordsTables} from '../../../src/store/records/tables.js'
import {all} from '../../runs/support.js'
import {ENGINES} from '../../support/engines.js'
import {freshPlace} from './support.js'

const now = () => new Date(0)

test.each(ENGINES)(
  'on $name, plans that were kept without their order are still there, each item once',
  async engine => {
    const file = await freshPlace(engine)
    const old = await openDatabase<RecordsTables>(file, {migrations: [runsStep, webhooksStep], now})
    await old.writes.run(async db => {
      for (const run_id of ['a', 'b'])
        for (const item of ['3', '1', '2'])
          await db
            .insertInto('run_plan')
            .values({run_id, item} as RecordsTables['run_plan'])
            .execute()
    })
    await old.close()
    const records = await openRecords(file, now)
    expect(await all(records.runs.planned('a'))).toEqual(['1', '2', '3'])
    expect(await all(records.runs.planned('b'))).toEqual(['1', '2', '3'])
    await records.close()
  },
)
