import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildReplay} from '../../app/replay.js'
import {BaseCommand} from '../../cli/base-command.js'
import {ageFlag, limitFlag, momentFlag, shareFlag} from '../../cli/flags.js'
import {prepareRun, previewRun} from '../../runs/bulk-run.js'
import {presentRun} from '../../runs/report/present-run.js'
import {STATUSES} from '../../webhook/event/event.js'

/** What a plan says already. */
const OF_THE_PLAN = [
  ...['status', 'type', 'since', 'until', 'max-age', 'stale', 'check-state'],
  ...['include-unknown', 'include-resolved', 'include-delivered', 'afresh'],
]

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

A plan can be written down, looked at, and applied later: --plan FILE, one JSON object a line, and --apply FILE. It is
refused when it was edited, when an event or a transaction is no longer as it was, and for another shop.

With --via provider, the provider delivers, to every webhook that is registered there, with its own credentials (profile
set --help). Its answer says no more than that it will: the effect is waited for, and is "unknown" where it does not come.

Limits are flags; 0 or none turns one off.`
  static override examples = [
    '<%= config.bin %> webhook replay --dry-run',
    '<%= config.bin %> webhook replay --yes',
    '<%= config.bin %> webhook replay WH-58D329510W468432D-8HN650336L201105X',
    `<%= config.bin %> webhook replay --type 'PAYMENT.CAPTURE.*' --since 6h --rate 20 --max 1000`,
    '<%= config.bin %> webhook replay events.ndjson --dry-run -o ndjson',
    '<%= config.bin %> webhook replay --dry-run --plan monday.plan',
    '<%= config.bin %> webhook replay --apply monday.plan --yes',
    '<%= config.bin %> webhook replay --via provider --yes',
    '<%= config.bin %> webhook list --status failed -o id | <%= config.bin %> webhook replay - --yes',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    event: Args.string({
      description: 'ids of events, or files of events, or - for standard input',
      multiple: true,
    }),
  }
  static override flags = {
    'dry-run': Flags.boolean({description: 'print what would be done, and send nothing'}),
    plan: Flags.string({description: 'write the plan down, to be looked at and applied', helpValue: 'FILE'}),
    force: Flags.boolean({description: 'replace the file of --plan', dependsOn: ['plan']}),
    apply: Flags.string({
      description: 'send exactly what a plan says; refused when anything in it is no longer so',
      helpValue: 'FILE',
      exclusive: ['plan', ...OF_THE_PLAN],
    }),
    status: Flags.option({options: STATUSES, multiple: true, description: 'only those'})(),
    type: Flags.string({
      multiple: true,
      description: 'only this type, * for anything',
      helpValue: 'TYPE',
    }),
    since: momentFlag({description: 'created at this time or later'}),
    until: momentFlag({description: 'created before this time'}),
    rate: limitFlag({description: 'sends a second', default: 5}),
    concurrency: Flags.integer({description: 'transactions at once', default: 4, min: 1, max: 64}),
    max: limitFlag({description: 'refuse to begin when there is more to send', default: 200}),
    retries: Flags.integer({
      description: 'further attempts after a passing failure',
      default: 3,
      min: 0,
      max: 20,
    }),
    'max-age': ageFlag({
      description: 'hold events that are older',
      default: 259_200_000,
      defaultHelp: async () => '3d',
    }),
    canary: limitFlag({description: 'the first ones go alone, and all of them must go well', default: 5}),
    'breaker-failures': limitFlag({description: 'stop after so many failures in a row', default: 5}),
    'breaker-rate': shareFlag({
      description: 'stop when so many of the last 20 failed',
      default: 0.2,
      defaultHelp: async () => '20%',
    }),
    stale: Flags.option({
      options: ['hold', 'skip', 'send'] as const,
      default: 'hold',
      description: 'what becomes of events that would move a payment backwards',
    })(),
    'check-state': Flags.boolean({
      description: "compare the payment's state before and after; --no-check-state needs no sign-in",
      default: true,
      allowNo: true,
    }),
    via: Flags.option({
      options: ['shop', 'provider'] as const,
      default: 'shop',
      description: 'who delivers: we do, to the shop, or the provider does, when it gets to it',
    })(),
    'provider-wait': ageFlag({
      description: 'how long the effect of what the provider delivers is waited for',
      default: 60_000,
      defaultHelp: async () => '60s',
    }),
    'include-unknown': Flags.boolean({
      description: 'also what may have been applied already, where no state shows it',
    }),
    'include-resolved': Flags.boolean({description: 'also what was dealt with by hand'}),
    'include-delivered': Flags.boolean({
      description: 'also what was delivered, after a shop was restored; given again, it carries on',
    }),
    afresh: Flags.boolean({
      description: 'with --include-delivered: also what the same command has sent again before',
      dependsOn: ['include-delivered'],
    }),
  }

  #isPreview = false

  protected override get isChange(): boolean {
    return !this.#isPreview
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookReplay)
    this.#isPreview = flags['dry-run'] && flags.plan === undefined
    const task = await buildReplay(this.host, this.adapters, {...flags, words: args.event ?? []})
    const run = await (flags['dry-run'] ? previewRun(task) : prepareRun(task))
    this.endWith(await presentRun(run, this.runOutput))
  }
}
