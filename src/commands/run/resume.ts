import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildResumeDeps} from '../../app/replay.js'
import {buildSubmitResumeDeps} from '../../app/submit.js'
import {BaseCommand} from '../../cli/base-command.js'
import type {ExitName} from '../../errors.js'
import {ORDER_RESULTS} from '../../order/submit/result-row.js'
import {type SubmitOptions, submit} from '../../order/submit/submit.js'
import {conclude} from '../../order/submit/submit-presenter.js'
import {findRun} from '../../runs/find-run.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {type ReplayOptions, replay} from '../../webhook/replay/replay.js'
import {report} from '../../webhook/replay/replay-presenter.js'
import {REPLAYED} from '../../webhook/replay/replay-row.js'

export default class RunResume extends BaseCommand {
  static override summary = 'Carry on with a run that was stopped or crashed'
  static override description =
    `A replay sends what it was going to send and has no result for, with the limits it was
begun with. What was in flight when it ended is looked up first, and sent again only where the state shows that it was
not applied.

A submit is given its files again, as it was: they have to be what they were. Only what the shop does not have is sent,
which includes orders that it refused; those are told once more. Orders that came through a pipe, or from flags and
questions, have to be given to "order submit" again.`
  static override examples = [
    '<%= config.bin %> run resume last',
    '<%= config.bin %> run resume last --yes --reason "carrying on after the crash"',
  ]
  static override changes = true
  static override args = {
    run: Args.string({description: 'last, an id, or the beginning of one', required: true}),
  }
  static override flags = {
    force: Flags.boolean({description: 'replace files of --rejects and --report that are there'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunResume)
    const run = await findRun((await this.adapters.openRecords()).runs, args.run)
    this.endWith(await (run.kind === 'submit' ? this.#submit(run, flags) : this.#replay(run, flags.reason)))
    const {failed = 0, rejected = 0} = run.counts
    if (run.kind === 'replay' && failed + rejected > 0) await this.note(leftAlone(run.id, failed + rejected))
  }

  async #submit(
    run: RunRow,
    {force, reason}: {readonly force: boolean; readonly reason?: string | undefined},
  ): Promise<ExitName> {
    const deps = await buildSubmitResumeDeps(this.host, this.adapters, run, force)
    const {given, ...options} = run.options as unknown as SubmitOptions & {readonly given: object}
    return conclude(await submit({...options, reason: reason ?? run.reason}, deps), deps.given, {
      ...this.#paper(),
      print: rows => this.print(rows, ORDER_RESULTS),
      isTable: this.presenter.format === 'table',
      stderr: this.host.stderr,
    })
  }

  async #replay(run: RunRow, reason = run.reason): Promise<ExitName> {
    const {source, deps} = await buildResumeDeps(this.host, this.adapters, run)
    const carriedOn = await replay(
      {
        options: run.options.options as ReplayOptions,
        isNamed: source.isNamed,
        reason,
        asked: run.options,
        continues: run.id,
      },
      deps,
    )
    return report(carriedOn, {...this.#paper(), print: rows => this.print(rows, REPLAYED)})
  }

  #paper() {
    const {interruption} = this.host
    return {...this.teller(), wasInterrupted: () => interruption.cause !== undefined}
  }
}

/** Carrying on sends what has no result; that of others is a result too. */
function leftAlone(id: string, count: number): string {
  const events = count === 1 ? '1 event failed' : `${count} events failed`
  return `${events} in run ${id} and did not go again by carrying on: storectl webhook list --status failed`
}
