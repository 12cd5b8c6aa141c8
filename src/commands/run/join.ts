import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildReplayJoin} from '../../app/runs.js'
import {BaseCommand} from '../../cli/base-command.js'
import {findRun} from '../../runs/find-run.js'
import {presentRun} from '../../runs/report/present-run.js'

export default class RunJoin extends BaseCommand {
  static override summary = 'Work on a replay together with the process that began it'
  static override description =
    `Shares what a replay has yet to send, by its rules and limits. All that belongs to one transaction is one worker's,
so that no two ever send events of one transaction at once. A replay in a database that several machines share
(--database) can be joined from each of them; one in a file, from processes of the same machine.

--rate of the replay is that of all its workers together; --concurrency is each worker's own. A limit that stops one
worker stops all. The canary goes out first, by one worker alone.

A worker that is interrupted finishes what it has in flight and gives the rest back; the others go on, and the last one
ends the run. One that goes silent is declared gone when its process is seen dead or after 30 s without a sign of life:
the others look up what it had in flight, and take over the rest.

A submit cannot be joined: its files lie with the one who gave them.`
  static override examples = [
    '<%= config.bin %> run join last',
    '<%= config.bin %> run join 01kb8z --concurrency 16 --profile shop --yes',
    '<%= config.bin %> webhook replay --max none --profile shop --yes & <%= config.bin %> run join last --profile shop --yes',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'last, an id, or the beginning of one', required: true}),
  }
  static override flags = {
    concurrency: Flags.integer({
      description: 'transactions at once of this worker (default: as the replay was begun)',
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
