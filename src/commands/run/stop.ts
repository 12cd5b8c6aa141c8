import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildRunControl, changeNamedWatch} from '../../app/run-control.js'
import {BaseCommand} from '../../cli/base-command.js'
import {controlFlags} from '../../flags/global-flags.js'
import {RUN, toRunRow, waitUntilOver} from '../../runs/report/run-view.js'
import {WATCH} from '../../runs/report/watch-view.js'
import {stopRun} from '../../runs/workers/control-run.js'

export default class RunStop extends BaseCommand {
  static override baseFlags = {
    ...controlFlags,
    reason: Flags.string({
      description: 'Reason, stored with the run',
      helpGroup: 'SAFETY',
      helpValue: 'TEXT',
    }),
  }
  static override summary = 'Stop a run under way'
  static override description =
    `All workers of the run follow within two seconds, on any machine. They finish their requests in flight, send
nothing new and release the lease. "run stop" waits for them; Ctrl-C ends only the wait. "run resume" sends the rest.

The id of a watch ends the watch.`
  static override examples = [
    '<%= config.bin %> run stop last',
    '<%= config.bin %> run stop 01kb8z --reason "the shop is slow"',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix', required: true}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunStop)
    const watch = await changeNamedWatch(this.host, this.adapters, args.run, {stopReason: flags.reason ?? ''})
    if (watch) return this.printOne(watch, WATCH)
    const {run, deps} = await buildRunControl(this.host, this.adapters, args.run, 'stop')
    await stopRun(run, flags.reason, deps)
    const {clock, interruption} = this.host
    const last = await waitUntilOver(run, {...deps, clock, signal: interruption.stopping})
    await this.printOne(toRunRow(last, deps.machine), RUN)
    if (last.state === 'stopped') await this.note(`To resume: storectl run resume ${run.id}`)
  }
}
