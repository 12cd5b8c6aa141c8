import * as Flags from '@oclif/core/flags'
import {describeChosenShop} from '../../auth/profile/describe-shop.js'
import {BaseCommand} from '../../cli/base-command.js'
import {describeMachine} from '../../platform/processes.js'
import {RUNS} from '../../runs/report/run-view.js'
import {countListRows, streamListRows} from '../../runs/report/watch-view.js'

export default class RunList extends BaseCommand {
  static override summary = 'List runs and watches, newest first'
  static override examples = [
    '<%= config.bin %> run list',
    '<%= config.bin %> run list --kind replay --limit 5 -o json',
  ]
  static override flags = {
    kind: Flags.option({
      options: ['replay', 'submit', 'repair', 'resolve', 'undo', 'watch'] as const,
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
    all: Flags.boolean({description: 'Stream all runs, those of watches included', helpGroup: 'SELECTION'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(RunList)
    const records = await this.adapters.openRecords()
    const machine = describeMachine(this.host.env)
    const {kind, state} = flags
    const limit = flags.all ? undefined : (flags.limit ?? this.presenter.usualLimit)
    const query = {kind, state, withRuns: flags.all === true}
    const shown = await this.print(streamListRows(records, machine, {...query, limit}), RUNS)
    if (shown === 0) return this.#noteNone(kind ?? state)
    const count = () => countListRows(records, machine, {...query, limit: undefined})
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
