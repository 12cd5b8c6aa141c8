import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildReplayResume} from '../../app/runs.js'
import {buildSubmitResume} from '../../app/submit.js'
import {BaseCommand} from '../../cli/base-command.js'
import {prepareRun} from '../../runs/bulk-run.js'
import {findRun} from '../../runs/find-run.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {presentRun} from '../../runs/report/present-run.js'
import type {Run} from '../../runs/run.js'
import {describeLeftOut} from '../../webhook/replay/replay-presentation.js'

export default class RunResume extends BaseCommand {
  static override summary = 'Carry on with a run that was stopped or crashed'
  static override description =
    `A replay sends what it was going to send and has no result for, with the limits it was
begun with. What was in flight when it ended is looked up first, and sent again only where the state shows that it was
not applied.

A submit is given its files again, as it was: they have to be what they were. Only what the shop does not have is sent,
which includes orders that it refused; those are told once more. Orders that came through a pipe, or from flags and
questions, have to be given to "order submit" again.`
  static override examples = [
    '<%= config.bin %> run resume last',
    '<%= config.bin %> run resume last --yes --reason "carrying on after the crash"',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'last, an id, or the beginning of one', required: true}),
  }
  static override flags = {
    force: Flags.boolean({description: 'replace files of --rejects and --report that are there'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunResume)
    const stored = await findRun((await this.adapters.openRecords()).runs, args.run)
    this.endWith(await presentRun(await this.#prepare(stored, flags.force), this.runOutput))
    const leftOut = describeLeftOut(stored)
    if (leftOut !== undefined) await this.note(leftOut)
  }

  async #prepare(run: RunRow, force: boolean): Promise<Run<unknown>> {
    const {host, adapters, presenter} = this
    if (run.kind === 'replay') return prepareRun(await buildReplayResume(host, adapters, run))
    const isTable = presenter.format === 'table'
    return prepareRun(await buildSubmitResume(host, adapters, run, {force, isTable}))
  }
}
