import * as Flags from '@oclif/core/flags'
import {describeChosenShop} from '../../auth/profile/describe-shop.js'
import {BaseCommand} from '../../cli/base-command.js'
import {describeMachine} from '../../platform/processes.js'
import {countRunRows, RUNS, streamRunRows} from '../../runs/report/run-view.js'

export default class RunList extends BaseCommand {
  static override summary = 'List runs, newest first'
  static override examples = [
    '<%= config.bin %> run list',
    '<%= config.bin %> run list --kind replay --limit 5 -o json',
  ]
  static override flags = {
    kind: Flags.option({
      options: ['replay', 'submit', 'repair', 'resolve', 'undo'] as const,
      description: 'Only runs of this kind',
      helpGroup: 'SELECTION',
    })(),
    state: Flags.option({
      options: ['running', 'paused', 'unresponsive', 'completed', 'stopped', 'interrupted'] as const,
      description: 'Only runs in this state',
      helpGroup: 'SELECTION',
    })(),
    limit: Flags.integer({
      description: 'Max runs (default 25; on a terminal, its height)',
      helpGroup: 'SELECTION',
      min: 1,
      exclusive: ['all'],
    }),
    all: Flags.boolean({description: 'Stream all runs', helpGroup: 'SELECTION'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(RunList)
    const {runs} = await this.adapters.openRecords()
    const machine = describeMachine(this.host.env)
    const {kind, state} = flags
    const limit = flags.all ? undefined : (flags.limit ?? this.presenter.usualLimit)
    const shown = await this.print(streamRunRows(runs, machine, {kind, state, limit}), RUNS)
    if (shown === 0) return this.#noteNone(kind ?? state)
    const count = () => countRunRows(runs, machine, {kind, state, limit: undefined})
    await this.noteShown(shown, RUNS.noun, count, 'all shops')
  }

  async #noteNone(filter: string | undefined): Promise<void> {
    const shop = describeChosenShop(await this.adapters.findChosenProfile())
    const which = filter === undefined ? 'runs' : 'such runs'
    await this.note(
      `No ${which} for ${shop} or any other shop. To preview a replay: storectl webhook replay --dry-run`,
    )
  }
}
