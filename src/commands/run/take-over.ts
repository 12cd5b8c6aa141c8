import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {describeMachine} from '../../platform/processes.js'
import {findRun} from '../../runs/find-run.js'
import {RUN, toRunRow} from '../../runs/report/run-view.js'
import {takeOver} from '../../runs/workers/take-over.js'

export default class RunTakeOver extends BaseCommand {
  static override summary = 'Take over an unresponsive run'
  static override description =
    `Ends the run and marks its requests in flight as "unknown". "run resume" looks them up before it sends anything.
If the old process wakes up, it finds its lease revoked and sends nothing.

A run whose process is alive is refused: stop that process instead. A run on another machine is unresponsive 30
s after its last heartbeat; --force skips that wait.

A new replay or submit takes over an unresponsive run automatically. Use this command to inspect the run first.`
  static override examples = [
    '<%= config.bin %> run take-over last',
    '<%= config.bin %> run take-over 01kb8z --force && <%= config.bin %> run resume 01kb8z',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix', required: true}),
  }
  static override flags = {
    force: Flags.boolean({
      description: 'Do not wait for the heartbeat time-out of another machine',
      helpGroup: 'SAFETY',
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunTakeOver)
    const {runs: store} = await this.adapters.openRecords()
    const clock = await this.adapters.openRecordsClock()
    const machine = describeMachine(this.host.env)
    const ended = await takeOver(await findRun(store, args.run), flags.force, {store, machine, clock})
    await this.printOne(toRunRow(ended, machine), RUN)
    if (ended.kind === 'replay') await this.note(`To resume: storectl run resume ${ended.id}`)
    else await this.note('To resume, run the same "order submit" again.')
  }
}
