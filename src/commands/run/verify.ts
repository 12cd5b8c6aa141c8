import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {findRun} from '../../runs/find-run.js'
import {verifyJournal} from '../../runs/journal/hash-chain.js'
import type {RunRow, RunStore} from '../../runs/journal/run-store.js'
import {toVerifiedRow, VERIFIED} from '../../runs/report/run-view.js'

export default class RunVerify extends BaseCommand {
  static override summary = 'Check that the record of a run is whole and unchanged'
  static override description =
    `Each record of a run holds a hash over itself and the one before it. A record that was changed, taken out or cut off
the end is found and named; what is cut off while a run is under way, or before a crashed one was settled, cannot be
told from what was never written. This shows damage and later edits; it does not stop somebody who may write to the
database from making the whole chain anew: keep "run export" elsewhere for that.

Ends with 3 when a record is damaged.`
  static override examples = [
    '<%= config.bin %> run verify last',
    '<%= config.bin %> run verify --all -o json',
  ]
  static override args = {
    run: Args.string({description: 'last, an id, or the beginning of one'}),
  }
  static override flags = {
    all: Flags.boolean({description: 'every run'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunVerify)
    if ((args.run !== undefined) === (flags.all === true)) throw createWhichRunError()
    const {runs} = await this.adapters.openRecords()
    const meant = args.run === undefined ? runs.list({}) : [await findRun(runs, args.run)]
    await this.print(this.#verifyRuns(meant, runs), VERIFIED)
  }

  async *#verifyRuns(meant: AsyncIterable<RunRow> | Iterable<RunRow>, runs: RunStore) {
    for await (const run of meant) {
      const verified = await verifyJournal(run, runs)
      if (!verified.isWhole) this.endWith('partial')
      yield toVerifiedRow(verified)
    }
  }
}

function createWhichRunError() {
  return createUsageError('which_run', 'Name one run, or give --all.', [
    'storectl run verify last',
    'storectl run verify --all',
  ])
}
