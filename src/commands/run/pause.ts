import * as Args from '@oclif/core/args'
import {buildRunControl} from '../../app/run-control.js'
import {BaseCommand} from '../../cli/base-command.js'
import {controlFlags} from '../../flags/global-flags.js'
import {RUN, toRunRow} from '../../runs/report/run-view.js'
import {changeRun} from '../../runs/workers/control-run.js'

export default class RunPause extends BaseCommand {
  static override baseFlags = controlFlags
  static override summary = 'Pause a run under way'
  static override description =
    `All workers of the run follow within two seconds, on any machine. They finish their requests in flight, send
nothing new and hold the lease. "run resume" continues the run in its own processes.`
  static override examples = [
    '<%= config.bin %> run pause last',
    '<%= config.bin %> run pause 01kb8z && <%= config.bin %> run resume 01kb8z --rate 2',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix', required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(RunPause)
    const {run, deps} = await buildRunControl(this.host, this.adapters, args.run, 'pause')
    const paused = await changeRun(run, {isPaused: true}, deps)
    await this.printOne(toRunRow(paused, deps.machine), RUN)
    await this.note(`To resume: storectl run resume ${run.id}`)
  }
}
