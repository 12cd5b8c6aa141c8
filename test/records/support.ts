import {onTestFinished} from 'vitest'
import {openRecords, type Records} from '../../src/records/index.js'
import {recordsMigrations} from '../../src/records/schema/contents.js'
import type {RecordsTables} from '../../src/records/schema/schema.js'
import type {Database, DatabaseLocation} from '../../src/storage/engine/database.js'
import {openDatabase} from '../../src/storage/index.js'
import {currentTime} from '../support/clock.js'
import type {Engine} from '../support/engines.js'

/** A place for records that goes with the test. */
export async function freshPlace(engine: Engine): Promise<DatabaseLocation> {
  const {place, drop} = await engine.fresh()
  onTestFinished(drop)
  return place
}

/** Records at a place, closed with the test, before that goes. */
export async function recordsAt(place: DatabaseLocation, now = currentTime): Promise<Records> {
  const records = await openRecords(place, now)
  onTestFinished(() => records.close())
  return records
}

/** The same as tables. */
export async function tablesAt(place: DatabaseLocation): Promise<Database<RecordsTables>> {
  const database = await openDatabase<RecordsTables>(place, {
    migrations: recordsMigrations,
    now: currentTime,
  })
  onTestFinished(() => database.close())
  return database
}

/** Has all runs been silent for longer, by a clock that no test can set. */
export async function makeSilent(place: DatabaseLocation, ms: number): Promise<void> {
  const {writes} = await tablesAt(place)
  await writes.run(async db => {
    for (const table of ['run', 'run_worker'] as const) {
      await db
        .updateTable(table)
        .set(({eb}) => ({heartbeat_at_ms: eb('heartbeat_at_ms', '-', ms)}))
        .execute()
    }
  })
}
