import * as Args from '@oclif/core/args'
import {buildCauseFilter} from '../../app/webhook/diagnosis.js'
import {buildReplay} from '../../app/webhook/replay.js'
import {openWatch} from '../../app/webhook/watch.js'
import {BaseCommand} from '../../cli/base-command.js'
import {runFlags} from '../../flags/global-flags.js'
import {applyWatchDefaults, EVENT_RESULT_FIELDS, replayFlags} from '../../flags/replay-flags.js'
import {prepareRun, previewRun} from '../../runs/bulk-run.js'
import {presentRun} from '../../runs/report/present-run.js'
import {presentWatch} from '../../webhook/watch/present-watch.js'

export default class WebhookReplay extends BaseCommand {
  static override baseFlags = runFlags
  static override summary = 'Send failed and pending events again'
  static override description =
    `Sends failed, pending and unknown events of the inbox, unless you name ids, filters or files. It checks each
payment's state first, skips delivered events, and holds events that are unsafe to send. Events of one payment
go one at a time, in order. Afterwards it checks the state again: "applied" means changed, "unchanged" that the
shop answered 200 and changed nothing.

A call that was given up (504, time-out) may still be at work: its effect is looked for during --grace-period;
without one, its result is "unknown", and this run does not send it again. Safe to re-run after an interruption.

--via provider asks the provider to deliver the events again, to all its registered webhooks, and looks for
the effect. 0 or none turns a limit off.

Privileges: order_transaction:read, state_machine_state:read, payment_method:read, order:read, currency:read. None with --no-check-state.`
  static override examples = [
    '<%= config.bin %> webhook replay --dry-run',
    '<%= config.bin %> webhook replay --profile shop --yes',
    '<%= config.bin %> webhook replay --cause shop-unavailable --since 6h',
    '<%= config.bin %> webhook replay WH-58D329510W468432D-8HN650336L201105X',
    `<%= config.bin %> webhook replay --type 'PAYMENT.CAPTURE.*' --since 6h --rate 20 --max 1000`,
    '<%= config.bin %> webhook replay events.ndjson --dry-run -o ndjson',
    '<%= config.bin %> webhook replay --plan monday.plan',
    '<%= config.bin %> webhook replay --apply monday.plan --profile shop --yes',
    '<%= config.bin %> webhook replay --via provider --profile shop --yes',
    '<%= config.bin %> webhook list --status failed -o id | <%= config.bin %> webhook replay - --profile shop --yes',
  ]
  static override strict = false
  static override changes = true
  static override resultFields = EVENT_RESULT_FIELDS
  static override args = {
    event: Args.string({
      description: 'Event ids or unique prefixes, event files, or - for stdin',
      multiple: true,
    }),
  }
  static override flags = replayFlags

  #isPreview = false

  protected override get isChange(): boolean {
    return !this.#isPreview
  }

  async run(): Promise<void> {
    const {args, flags: given, metadata} = await this.parse(WebhookReplay)
    const flags = applyWatchDefaults(given, metadata)
    const isDryRun = flags['dry-run'] || flags.plan !== undefined
    this.#isPreview = isDryRun && flags.plan === undefined
    const {host, adapters, presenter} = this
    const narrow = flags.cause && (await buildCauseFilter(host, adapters, flags.cause))
    const hasTotals = presenter.format === 'json'
    const request = {...flags, words: args.event ?? [], typed: this.argv, narrow, hasTotals}
    this.endsBySignal = flags.watch
    if (flags.watch) return presentWatch(await openWatch(host, adapters, request, buildReplay), presenter)
    const task = await buildReplay(host, adapters, request)
    const run = await (isDryRun ? previewRun(task) : prepareRun(task))
    this.endWith(await presentRun(run, this.runOutput))
  }
}
