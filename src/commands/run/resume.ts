import * as Args from '@oclif/core/args'
import {resumePaused, takeOverRun} from '../../app/run-control.js'
import {buildReplayJoin, buildReplayResume} from '../../app/runs.js'
import {buildSubmitResume} from '../../app/submit.js'
import {BaseCommand} from '../../cli/base-command.js'
import {runFlags} from '../../flags/global-flags.js'
import {listResultFields, type ResumeFlags, resumeFlags} from '../../flags/resume-flags.js'
import {prepareRun} from '../../runs/bulk-run.js'
import {findRun} from '../../runs/find-run.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {presentRun} from '../../runs/report/present-run.js'
import {RUN} from '../../runs/report/run-view.js'
import type {Run} from '../../runs/run.js'
import {listSetLimits} from '../../runs/workers/control-run.js'
import {describeLeftOut} from '../../webhook/replay/replay-presentation.js'

export default class RunResume extends BaseCommand {
  static override baseFlags = runFlags
  static override summary = 'Resume, join or take over a run'
  static override description =
    `A replay sends the events without a result, with the limits of the run unless you pass new ones. It looks up
requests in flight first. A paused run continues in its own processes.

A submit reads its files again; they must be unchanged. It sends only orders that the shop does not have,
including rejected ones. Run "order submit" again for orders from a pipe, flags or prompts.

--join adds a worker to a running replay, here or on a machine with the same database. All workers share --rate
and stop together. --take-over ends an unresponsive run, and sends nothing; a live process keeps its run.`
  static override examples = [
    '<%= config.bin %> run resume last',
    '<%= config.bin %> run resume last --rate 2 --concurrency 1',
    '<%= config.bin %> run resume last --profile shop --yes --reason "resuming after the crash"',
    '<%= config.bin %> run resume last --join --profile shop --yes',
    '<%= config.bin %> run resume 01kb8z --take-over && <%= config.bin %> run resume 01kb8z',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix', required: true}),
  }
  static override flags = resumeFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunResume)
    const {host, adapters} = this
    if (flags.join) this.presenter.requireFields(listResultFields('replay'))
    const stored = await findRun((await adapters.openRecords()).runs, args.run)
    const {row, next} = flags['take-over'] ? await takeOverRun(host, adapters, stored, flags.force) : {}
    const done = row ?? (flags.join ? undefined : await resumePaused(host, adapters, stored, flags))
    if (done) await this.printOne(done, RUN)
    if (done) return next === undefined ? undefined : this.note(next)
    const join = () => buildReplayJoin(host, adapters, stored, flags.concurrency)
    this.endWith(await presentRun(await (flags.join ? join() : this.#prepare(stored, flags)), this.runOutput))
    const leftOut = flags.join ? undefined : describeLeftOut(stored)
    if (leftOut !== undefined) await this.note(leftOut)
  }

  async #prepare(
    run: RunRow,
    {force, join: _, 'take-over': __, ...given}: ResumeFlags,
  ): Promise<Run<unknown>> {
    const {host, adapters, presenter} = this
    const limits = {...listSetLimits(run), ...given}
    presenter.requireFields(listResultFields(run.kind))
    if (run.kind !== 'submit') return prepareRun(await buildReplayResume(host, adapters, run, limits))
    const options = {force, isTable: presenter.format === 'table', limits}
    return prepareRun(await buildSubmitResume(host, adapters, run, options))
  }
}
