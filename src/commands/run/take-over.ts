import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {describeMachine} from '../../platform/processes.js'
import {findRun} from '../../runs/find-run.js'
import {RUN, toRunRow} from '../../runs/report/run-view.js'
import {takeOver} from '../../runs/workers/take-over.js'

export default class RunTakeOver extends BaseCommand {
  static override summary = 'End a run that went silent, so that another can carry on'
  static override description =
    `What the run had in flight is "unknown" from then on: "run resume" looks it up before anything is sent again. Should
its process wake up after all, it finds that its lease is gone, and sends nothing more.

A run whose process is seen to live is not taken over: end that process instead. One on another machine is silent 30 s
after its last sign of life; --force does not wait for that.

A new replay or submit takes a silent run over by itself; this command is for looking at what it left first.`
  static override examples = [
    '<%= config.bin %> run take-over last',
    '<%= config.bin %> run take-over 01kb8z --force && <%= config.bin %> run resume 01kb8z',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'last, an id, or the beginning of one', required: true}),
  }
  static override flags = {
    force: Flags.boolean({description: 'also one on another machine that gave a sign of life lately'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunTakeOver)
    const {runs: store} = await this.adapters.openRecords()
    const {clock} = this.host
    const machine = describeMachine(this.host.env)
    const ended = await takeOver(await findRun(store, args.run), flags.force, {store, machine, clock})
    await this.printOne(toRunRow(ended, machine), RUN)
    if (ended.kind === 'replay') await this.note(`Carry on with it: storectl run resume ${ended.id}`)
    else await this.note('Carry on with it by giving the same "order submit" again.')
  }
}
