import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../base-command.js'
import {findRun} from '../../run/find-run.js'
import {RUN, RUN_RESULTS, resultRow, runRow} from '../../run/render.js'

export default class RunShow extends BaseCommand {
  static override summary = 'Show what a run did, or what became of each of its items'
  static override examples = [
    '<%= config.bin %> run show last',
    '<%= config.bin %> run show last --results -o ndjson',
  ]
  static override args = {
    run: Args.string({description: 'last, an id, or the beginning of one', required: true}),
  }
  static override flags = {
    results: Flags.boolean({description: 'list the items with their results'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunShow)
    const {runs} = await this.context.records()
    const run = await findRun(runs, args.run)
    const row = runRow(run, this.context.world.clock.now(), await this.context.machine())
    if (!flags.results) return this.printOne(row, RUN)
    const results = async function* () {
      for await (const record of runs.results(run.id)) yield resultRow(record)
    }
    await this.print(results(), RUN_RESULTS)
  }
}
