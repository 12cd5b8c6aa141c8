import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildReplayJoin} from '../../app/runs.js'
import {BaseCommand} from '../../cli/base-command.js'
import {changeFlags} from '../../flags/global-flags.js'
import {EVENT_RESULT_FIELDS} from '../../flags/replay-flags.js'
import {findRun} from '../../runs/find-run.js'
import {presentRun} from '../../runs/report/present-run.js'

export default class RunJoin extends BaseCommand {
  static override baseFlags = changeFlags
  static override summary = 'Add a worker to a running replay'
  static override description =
    `The worker takes events that no worker has claimed, with the replay's rules and limits. All events of one
transaction go to one worker. Workers on other machines need a shared database (--database).

--rate of the replay applies to all workers together, --concurrency to each worker. If one worker reaches a
limit, all workers stop. One worker sends the canary before the others start.

An interrupted worker finishes its requests in flight and releases the rest. A worker without a heartbeat for 30
s is unresponsive: the others look up its requests in flight and take over its events.

A submit cannot be joined, because only its own process can read the files.`
  static override examples = [
    '<%= config.bin %> run join last',
    '<%= config.bin %> run join 01kb8z --concurrency 16 --profile shop --yes',
    '<%= config.bin %> webhook replay --max none --profile shop --yes & <%= config.bin %> run join last --profile shop --yes',
  ]
  static override changes = true
  static override resultFields = EVENT_RESULT_FIELDS
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix', required: true}),
  }
  static override flags = {
    concurrency: Flags.integer({
      description: 'Max payments in flight of this worker (default: as in the run)',
      helpGroup: 'SPEED',
      min: 1,
      max: 64,
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunJoin)
    const run = await findRun((await this.adapters.openRecords()).runs, args.run)
    const joined = await buildReplayJoin(this.host, this.adapters, run, flags.concurrency)
    this.endWith(await presentRun(joined, this.runOutput))
  }
}
