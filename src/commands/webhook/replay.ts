import * as Args from '@oclif/core/args'
import {buildReplay} from '../../app/replay.js'
import {BaseCommand} from '../../cli/base-command.js'
import {replayFlags} from '../../flags/replay-flags.js'
import {prepareRun, previewRun} from '../../runs/bulk-run.js'
import {presentRun} from '../../runs/report/present-run.js'

export default class WebhookReplay extends BaseCommand {
  static override summary = 'Send events again that a shop refused or never got'
  static override description =
    `Sends events of the inbox (failed, pending and unknown ones, unless ids or filters say otherwise), of files, or of
standard input. Before anything is sent, the state of each event's transaction is looked at: what was delivered already
is skipped, what would move a payment backwards, belongs to another shop or is too old is held. Events of one
transaction go one at a time in their own order. Afterwards the state is looked at again: "applied" means that it
changed, "unchanged" that the shop answered 200 and did nothing.

Every attempt is written down before it is made and after it is answered. After an interruption or a crash, the same
command carries on: nothing that has a result is sent again, and what was in flight is looked up first.

--plan FILE writes the plan for review, one JSON object a line, and sends nothing; --apply FILE sends it. A plan is
refused when it was edited, when an event or a transaction is no longer as it was, and for another shop.

With --via provider, the provider delivers, to every webhook that is registered there, with its own credentials (profile
set --help). Its answer says no more than that it will: the effect is waited for, and is "unknown" where it does not come.

Limits are flags; 0 or none turns one off.`
  static override examples = [
    '<%= config.bin %> webhook replay --dry-run',
    '<%= config.bin %> webhook replay --profile shop --yes',
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
  static override args = {
    event: Args.string({
      description: 'ids of events, or files of events, or - for standard input',
      multiple: true,
    }),
  }
  static override flags = replayFlags

  #isPreview = false

  protected override get isChange(): boolean {
    return !this.#isPreview
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookReplay)
    const isDryRun = flags['dry-run'] || flags.plan !== undefined
    this.#isPreview = isDryRun && flags.plan === undefined
    const task = await buildReplay(this.host, this.adapters, {
      ...flags,
      words: args.event ?? [],
      typed: this.argv,
    })
    const run = await (isDryRun ? previewRun(task) : prepareRun(task))
    this.endWith(await presentRun(run, this.runOutput))
  }
}
