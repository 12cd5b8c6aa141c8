import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildRunControl, changeNamedWatch} from '../../app/run-control.js'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {concurrencyFlag, rateFlag} from '../../flags/flag-kinds.js'
import {controlFlags} from '../../flags/global-flags.js'
import {RUN, toRunRow} from '../../runs/report/run-view.js'
import {WATCH} from '../../runs/report/watch-view.js'
import {changeRun} from '../../runs/workers/control-run.js'

export default class RunSet extends BaseCommand {
  static override baseFlags = controlFlags
  static override summary = 'Pause a run under way, or change its rate or concurrency'
  static override description =
    `All workers of the run follow within two seconds, on any machine. They share --rate; --concurrency applies to
each worker. "run resume" starts with the same limits.

A run that is paused finishes its requests in flight, sends nothing new and holds the lease. "run resume" or
--no-paused continues it in its own processes. A watch that is paused by its id ends its run, and begins none.`
  static override examples = [
    '<%= config.bin %> run set last --rate 2',
    '<%= config.bin %> run set last --paused',
    '<%= config.bin %> run set 01kb8z --rate none --concurrency 16',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix', required: true}),
  }
  static override flags = {
    paused: Flags.boolean({description: 'Pause the run, or let it continue', allowNo: true}),
    rate: rateFlag({
      description: 'Max requests per second of all workers together; auto adapts to the shop',
      helpGroup: 'SPEED',
    }),
    concurrency: concurrencyFlag({
      description: 'Max payments or orders in flight of each worker; auto follows --rate auto',
      helpGroup: 'SPEED',
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunSet)
    const {rate, concurrency, paused} = flags
    if ((rate ?? concurrency ?? paused) === undefined) throw createNothingToSetError(args.run)
    const watch = await changeNamedWatch(this.host, this.adapters, args.run, {isPaused: paused})
    if (watch) return this.printOne(watch, WATCH)
    const verb = paused ? 'pause' : 'change'
    const {run, deps} = await buildRunControl(this.host, this.adapters, args.run, verb)
    const change = {
      ...(paused !== undefined && {isPaused: paused}),
      ...(rate !== undefined && {ratePerSecond: rate}),
      ...(concurrency !== undefined && {concurrency}),
    }
    const changed = await changeRun(run, change, deps)
    await this.printOne(toRunRow(changed, deps.machine), RUN)
    if (paused) await this.note(`To resume: storectl run resume ${run.id}`)
  }
}

function createNothingToSetError(run: string) {
  return createUsageError(
    'nothing_to_set',
    'Give --paused, --no-paused, --rate or --concurrency. Nothing was changed.',
    [`storectl run set ${run} --rate 2`],
  )
}
