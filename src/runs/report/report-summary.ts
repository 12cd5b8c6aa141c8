import type {RunRow, RunStore} from '../journal/run-store.js'
import {type Verified, verifyRun} from '../journal/verify-journal.js'
import {type runRow, verifiedRow} from './run-view.js'
import {type Timeline, timelineOf} from './timeline.js'

/** What a report says of a run before it comes to the single items. */
export interface Sheet {
  readonly verified: Verified
  readonly timeline: Timeline
  readonly writtenAt: Date
  /** Name and value of what the report is headed with; values are text of any kind. */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

/** Reads the whole journal once. @param row the run as it is printed */
export async function sheetOf(
  run: RunRow,
  runs: Pick<RunStore, 'records'>,
  row: ReturnType<typeof runRow>,
  writtenAt: Date,
): Promise<Sheet> {
  const timeline = timelineOf(run)
  const verified = await verifyRun(run, runs, result => timeline.add(result))
  const drawn = timeline.drawn()
  return {verified, timeline: drawn, writtenAt, facts: factsOf(row, drawn, verified)}
}

function factsOf(row: ReturnType<typeof runRow>, {outcomes}: Timeline, verified: Verified): Sheet['facts'] {
  const {verdict, records, problem} = verifiedRow(verified)
  const all: [string, string | number | null][] = [
    ['Run', row.id],
    ['Kind', row.kind],
    ['Shop', row.target],
    ['Profile', row.profile],
    ['By', `${row.who} on ${row.host} (pid ${row.pid})`],
    ['Reason', row.reason],
    ['State', row.stoppedBy === null ? row.state : `${row.state} by ${row.stoppedBy}`],
    ['Started', row.startedAt],
    ['Ended', row.endedAt],
    ['Continues', row.continues],
    ['Items', row.total],
    // Those of the journal: what a run under way has counted is some seconds old.
    ['Results', outcomes.map(({name, count}) => `${count} ${name}`).join(', ')],
    ['Options', JSON.stringify(row.options)],
    ['Record', problem === null ? `${verdict}, ${records} entries` : `${verdict}: ${problem}`],
    ...verified.ends.map(({worker, sequence, hash}): [string, string] => [
      'Chain',
      `${hash} (entry ${sequence} of ${worker})`,
    ]),
  ]
  return all.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, String(value)] as const],
  )
}
