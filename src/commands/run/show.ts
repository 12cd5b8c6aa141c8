import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {findWatchRow} from '../../app/run-control.js'
import {readRunSnapshot} from '../../app/run-snapshot.js'
import {BaseCommand} from '../../cli/base-command.js'
import {describeMachine} from '../../platform/processes.js'
import {findRun} from '../../runs/find-run.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {describeRun, RUN_OVERVIEW} from '../../runs/report/run-overview.js'
import {
  type FollowRunDeps,
  followResults,
  followRun,
  RUN_RESULTS,
  toResultRow,
  toRunRow,
} from '../../runs/report/run-view.js'
import {WATCH} from '../../runs/report/watch-view.js'

export default class RunShow extends BaseCommand {
  static override summary = 'Show a run, or the results of its items'
  static override examples = [
    '<%= config.bin %> run show last',
    '<%= config.bin %> run show last --follow',
    '<%= config.bin %> run show last --results -o ndjson',
  ]
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix', required: true}),
  }
  static override flags = {
    results: Flags.boolean({description: 'List items with their results', helpGroup: 'OUTPUT'}),
    follow: Flags.boolean({char: 'f', description: 'Follow the run until it ends', helpGroup: 'OUTPUT'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunShow)
    const watch = await findWatchRow(this.host, this.adapters, args.run)
    if (watch) return this.printOne(watch, WATCH)
    const {runs: store} = await this.adapters.openRecords()
    const run = await findRun(store, args.run)
    const {clock, interruption} = this.host
    const machine = describeMachine(this.host.env)
    const deps = {store, machine, clock, signal: interruption.stopping}
    if (!flags.results) return this.#printOverview(run, flags.follow ? deps : undefined)
    const records = flags.follow ? followResults(run, deps) : store.listResults(run.id)
    const streamResults = async function* () {
      for await (const record of records) yield toResultRow(record)
    }
    const shown = await this.print(streamResults(), RUN_RESULTS)
    await this.noteShown(shown, RUN_RESULTS.noun, async () => shown, `run ${run.id}`)
  }

  async #printOverview(run: RunRow, following: FollowRunDeps | undefined): Promise<void> {
    if (following) await this.#followRun(run, following)
    const {id} = run
    await this.printOne(await readRunSnapshot(this.host, this.adapters, id, describeRun), RUN_OVERVIEW)
  }

  /** Says how far the run has come whenever it has come further. */
  async #followRun(run: RunRow, deps: FollowRunDeps): Promise<void> {
    for await (const now of followRun(run, deps)) {
      const {state, results, total} = toRunRow(now, deps.machine)
      await this.note(`${state}: ${results || 'nothing yet'}${total === null ? '' : ` of ${total}`}`)
    }
  }
}
