import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {buildReplayResume} from '../../app/runs.js'
import {buildSubmitResume} from '../../app/submit.js'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {limitFlag} from '../../flags/flag-kinds.js'
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
begun with, or those given now. What was in flight when it ended is looked up first, and sent again only where the state shows that it was
not applied.

A submit is given its files again, as it was: they have to be what they were. Only what the shop does not have is sent,
which includes orders that it refused; those are told once more. Orders that came through a pipe, or from flags and
questions, have to be given to "order submit" again.`
  static override examples = [
    '<%= config.bin %> run resume last',
    '<%= config.bin %> run resume last --rate 2 --concurrency 1',
    '<%= config.bin %> run resume last --profile shop --yes --reason "carrying on after the crash"',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'last, an id, or the beginning of one', required: true}),
  }
  static override flags = {
    rate: limitFlag({description: 'max requests per second; that of the run unless given'}),
    concurrency: Flags.integer({
      description: 'payments or orders at once; that of the run unless given',
      min: 1,
      max: 64,
    }),
    max: limitFlag({description: 'of a replay: abort if more than N events would be sent'}),
    force: Flags.boolean({description: 'replace files of --rejects and --report that are there'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunResume)
    const stored = await findRun((await this.adapters.openRecords()).runs, args.run)
    this.endWith(await presentRun(await this.#prepare(stored, flags), this.runOutput))
    const leftOut = describeLeftOut(stored)
    if (leftOut !== undefined) await this.note(leftOut)
  }

  async #prepare(
    run: RunRow,
    {force, ...limits}: InferredFlags<typeof RunResume.flags>,
  ): Promise<Run<unknown>> {
    const {host, adapters, presenter} = this
    if (run.kind === 'replay') return prepareRun(await buildReplayResume(host, adapters, run, limits))
    if (limits.max !== undefined)
      throw createUsageError('max_of_replay', `Run ${run.id} is a submit: --max is for replays.`)
    const isTable = presenter.format === 'table'
    return prepareRun(await buildSubmitResume(host, adapters, run, {force, isTable, limits}))
  }
}
