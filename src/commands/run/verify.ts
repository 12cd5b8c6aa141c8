import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import type {VerifiedRow} from '../../contract/run-rows.js'
import {createUsageError} from '../../errors.js'
import {describeMachine} from '../../platform/processes.js'
import {readSealedHead} from '../../runs/ledger/head-file.js'
import {VERIFIED, verifyRuns} from '../../runs/report/verify-runs.js'

export default class RunVerify extends BaseCommand {
  static override summary = "Verify a run's audit log"
  static override description =
    `Compares a run's hash chains, items, counts and amounts with its rows in the ledger of runs. That ledger has a row
for each opening and end of a run. --all walks the whole ledger and names gaps and runs that are gone. Only
--head with a stored file of "run seal" detects a rewrite of the whole database.

A run whose process is gone is "unclosed" until it is taken over. Exits 3 if anything is broken or unclosed.`
  static override examples = [
    '<%= config.bin %> run verify last',
    '<%= config.bin %> run verify --all --head head.txt',
    '<%= config.bin %> run verify --all -o json',
  ]
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix'}),
  }
  static override flags = {
    all: Flags.boolean({description: 'Verify all runs and the ledger of runs', helpGroup: 'SELECTION'}),
    head: Flags.string({
      description: 'File of "run seal" that the ledger of runs must match',
      helpGroup: 'SELECTION',
      helpValue: 'FILE',
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunVerify)
    if ((args.run !== undefined) === (flags.all === true)) throw createWhichRunError()
    const sealed =
      flags.head === undefined
        ? undefined
        : await readSealedHead(await this.adapters.files.openInput(flags.head))
    const {runs} = await this.adapters.openRecords()
    const machine = describeMachine(this.host.env)
    const shown = await runs.readSnapshot(reads =>
      this.print(this.#noteRows(verifyRuns(reads, {run: args.run, sealed}, machine)), VERIFIED),
    )
    if (flags.all) await this.noteShown(shown, VERIFIED.noun, async () => shown, 'all shops')
  }

  async *#noteRows(rows: AsyncIterable<VerifiedRow>) {
    for await (const row of rows) {
      if (row.auditLog !== 'verified') this.endWith('partial')
      yield row
    }
  }
}

function createWhichRunError() {
  return createUsageError('which_run', 'Name one run, or give --all.', [
    'storectl run verify last',
    'storectl run verify --all',
  ])
}
