import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../base-command.js'
import {usageError} from '../../errors.js'
import {findRun} from '../../run/find-run.js'
import {REPLAYED} from '../../webhook/render.js'
import {type ReplayOptions, replay} from '../../webhook/replay.js'
import {report} from '../../webhook/report.js'

export default class RunResume extends BaseCommand {
  static override summary = 'Carry on with a replay that was stopped or crashed'
  static override description =
    `Sends what the run was going to send and has no result for, with the limits it was begun with. What was in flight
when it ended is looked up first, and sent again only where the state shows that it was not applied.

A submit is carried on with by giving the same "order submit" again.`
  static override examples = [
    '<%= config.bin %> run resume last',
    '<%= config.bin %> run resume last --yes --reason "carrying on after the crash"',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'last, an id, or the beginning of one', required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(RunResume)
    const {interruption} = this.context.world
    const run = await findRun((await this.context.records()).runs, args.run)
    if (run.kind !== 'replay')
      throw usageError('not_a_replay', `Run ${run.id} is a ${run.kind}: give it again.`)
    const {source, deps} = await this.context.resuming(run)
    const {flags} = this.context
    const carriedOn = await replay(
      {
        options: run.options.options as ReplayOptions,
        isNamed: source.isNamed,
        reason: flags.reason ?? run.reason,
        asked: run.options,
        continues: run.id,
      },
      deps,
    )
    const exit = await report(carriedOn, {
      ...this.teller(),
      print: rows => this.print(rows, REPLAYED),
      wasInterrupted: () => interruption.cause !== undefined,
    })
    this.endWith(exit)
    const {failed = 0, rejected = 0} = run.counts
    if (failed + rejected > 0) await this.note(leftAlone(run.id, failed + rejected))
  }
}

/** Carrying on sends what has no result; that of others is a result too. */
function leftAlone(id: string, count: number): string {
  const events = count === 1 ? '1 event failed' : `${count} events failed`
  return `${events} in run ${id} and did not go again by carrying on: storectl webhook list --status failed`
}
