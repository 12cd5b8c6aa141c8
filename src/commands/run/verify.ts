import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {findRun} from '../../runs/find-run.js'
import {verifyJournal} from '../../runs/journal/hash-chain.js'
import type {RunRow, RunStore} from '../../runs/journal/run-store.js'
import {toVerifiedRow, VERIFIED} from '../../runs/report/run-view.js'

export default class RunVerify extends BaseCommand {
  static override summary = "Verify a run's audit log"
  static override description =
    `Each entry contains the hash of the previous entry. Detects changed, deleted and truncated entries. While a
run is running, and before an interrupted run is recovered, detects truncation up to its last heartbeat only. Cannot
detect a rewrite of the whole log: store "run export" elsewhere for that.

Exits 3 if an audit log is broken.`
  static override examples = [
    '<%= config.bin %> run verify last',
    '<%= config.bin %> run verify --all -o json',
  ]
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix'}),
  }
  static override flags = {
    all: Flags.boolean({description: 'Verify all runs', helpGroup: 'SELECTION'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunVerify)
    if ((args.run !== undefined) === (flags.all === true)) throw createWhichRunError()
    const {runs} = await this.adapters.openRecords()
    const meant = args.run === undefined ? runs.list({}) : [await findRun(runs, args.run)]
    const shown = await this.print(this.#verifyRuns(meant, runs), VERIFIED)
    if (flags.all) await this.noteShown(shown, VERIFIED.noun, async () => shown, 'all shops')
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
