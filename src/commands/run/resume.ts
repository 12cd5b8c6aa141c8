import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {resumePaused} from '../../app/run-control.js'
import {buildReplayResume} from '../../app/runs.js'
import {buildSubmitResume} from '../../app/submit.js'
import {BaseCommand} from '../../cli/base-command.js'
import {limitFlag, rateFlag} from '../../flags/flag-kinds.js'
import {runFlags} from '../../flags/global-flags.js'
import {ORDER_RESULT_FIELDS} from '../../flags/order-flags.js'
import {EVENT_RESULT_FIELDS} from '../../flags/replay-flags.js'
import {describeMachine} from '../../platform/processes.js'
import {prepareRun} from '../../runs/bulk-run.js'
import {findRun} from '../../runs/find-run.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {presentRun} from '../../runs/report/present-run.js'
import {RUN} from '../../runs/report/run-view.js'
import type {Run} from '../../runs/run.js'
import {isPausedRun, listSetLimits} from '../../runs/workers/control-run.js'
import {describeLeftOut} from '../../webhook/replay/replay-presentation.js'

export default class RunResume extends BaseCommand {
  static override baseFlags = runFlags
  static override summary = 'Resume a run'
  static override description =
    `A replay sends the events without a result, with the limits of the run unless you pass new ones. It first looks
up requests in flight, and retries those whose payment state has not changed.

A paused run continues in its own processes.

A submit reads its files again; they must be unchanged. It sends only orders that the shop does not have,
including rejected ones. Run "order submit" again for orders from a pipe, flags or prompts.`
  static override examples = [
    '<%= config.bin %> run resume last',
    '<%= config.bin %> run resume last --rate 2 --concurrency 1',
    '<%= config.bin %> run resume last --profile shop --yes --reason "resuming after the crash"',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix', required: true}),
  }
  static override flags = {
    rate: rateFlag({description: 'Max requests per second (default: as in the run)', helpGroup: 'SPEED'}),
    concurrency: Flags.integer({
      description: 'Max payments or orders in flight (default: as in the run)',
      helpGroup: 'SPEED',
      min: 1,
      max: 64,
    }),
    max: limitFlag({description: 'Replay: abort if more than N events would be sent', helpGroup: 'SAFETY'}),
    force: Flags.boolean({description: 'Overwrite the files of --rejects and --report', helpGroup: 'OUTPUT'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunResume)
    const stored = await findRun((await this.adapters.openRecords()).runs, args.run)
    if (isPausedRun(stored, describeMachine(this.host.env)))
      return this.printOne(await resumePaused(this.host, this.adapters, stored.id, flags), RUN)
    this.endWith(await presentRun(await this.#prepare(stored, flags), this.runOutput))
    const leftOut = describeLeftOut(stored)
    if (leftOut !== undefined) await this.note(leftOut)
  }

  async #prepare(
    run: RunRow,
    {force, ...given}: InferredFlags<typeof RunResume.flags>,
  ): Promise<Run<unknown>> {
    const {host, adapters, presenter} = this
    const limits = {...listSetLimits(run), ...given}
    presenter.requireFields(run.kind === 'submit' ? ORDER_RESULT_FIELDS : EVENT_RESULT_FIELDS)
    if (run.kind !== 'submit') return prepareRun(await buildReplayResume(host, adapters, run, limits))
    const options = {force, isTable: presenter.format === 'table', limits}
    return prepareRun(await buildSubmitResume(host, adapters, run, options))
  }
}
