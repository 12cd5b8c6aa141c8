import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {buildLookups} from '../../app/events.js'
import {BaseCommand} from '../../cli/base-command.js'
import {momentFlag} from '../../flags/flag-kinds.js'
import {
  CAUSE_GROUPS,
  CauseCounts,
  DIAGNOSES,
  DIAGNOSIS,
  type DiagnoseDeps,
  type DiagnosisRow,
  diagnose,
  findEventsById,
} from '../../webhook/diagnose/diagnose.js'
import {type EventStatus, type InboxEvent, STATUSES} from '../../webhook/event/event.js'
import {parseEventCondition} from '../../webhook/event/event-fields.js'
import {readEventIds} from '../../webhook/event/event-ids.js'
import {NEEDS_DOING} from '../../webhook/plan/event-selection.js'
import {describeMissingEvent} from '../../webhook/plan/event-source.js'

export default class WebhookDiagnose extends BaseCommand {
  static override summary = 'Find out why events were refused, and what would make them pass'
  static override description =
    `Looks where the receiver looks, in its order: the webhook token, the content type, the body against what its handler
needs, the transaction, and whether its state allows the step. Says which one it is, what that rests on, and a command that
helps. Nothing is sent; the shop is asked for transactions and, where the token was refused, for its settings.

Without ids: what failed, is pending or unknown, narrowed by the filters. Exit 3 when something could not be looked at.`
  static override examples = [
    '<%= config.bin %> webhook diagnose WH-58D329510W468432D-8HN650336L201105X',
    '<%= config.bin %> webhook diagnose --status failed --since 1d --summary',
    '<%= config.bin %> webhook list --status failed --all -o id | <%= config.bin %> webhook diagnose - -o ndjson',
  ]
  static override strict = false
  static override args = {
    event: Args.string({description: 'ids of events; - for standard input, one a line', multiple: true}),
  }
  static override flags = {
    status: Flags.option({options: STATUSES, multiple: true, description: 'only those'})(),
    type: Flags.string({multiple: true, description: 'only this type, * for anything', helpValue: 'TYPE'}),
    since: momentFlag({description: 'created at this time or later'}),
    until: momentFlag({description: 'created before this time'}),
    where: Flags.string({description: 'a condition on any field, as of webhook list', helpValue: 'EXPR'}),
    summary: Flags.boolean({description: 'count events by cause instead of listing them'}),
    'check-state': Flags.boolean({
      description: 'ask the shop; --no-check-state uses only what is stored here',
      default: true,
      allowNo: true,
    }),
  }

  readonly #counts = new CauseCounts()

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookDiagnose)
    const {inbox, target} = await this.adapters.openInbox()
    const lookups = buildLookups(this.adapters)
    const isOffline = !flags['check-state']
    const deps: DiagnoseDeps = {
      ...{inbox, target, signal: this.host.interruption.stopping},
      transactions: isOffline ? undefined : lookups.transactions,
      token: isOffline ? async () => ({kind: 'not-known', says: 'not looked at'}) : lookups.token,
    }
    const words = args.event ?? []
    const events = words.length > 0 ? this.#findNamed(words, deps) : inbox.list(target, this.#query(flags))
    const rows = this.#countRows(diagnose(events, deps))
    const [only] = words
    if (flags.summary) await this.#printSummary(rows)
    else if (words.length === 1 && only !== '-') await this.#printDiagnosis(rows, only as string, target)
    else await this.#printAll(rows)
    if (this.#counts.has('not-diagnosed')) this.endWith('partial')
  }

  #query(flags: InferredFlags<typeof WebhookDiagnose.flags>) {
    const now = this.host.clock.now()
    return {
      statuses: (flags.status as EventStatus[] | undefined) ?? NEEDS_DOING,
      types: flags.type,
      since: flags.since?.(now),
      until: flags.until?.(now),
      where: flags.where === undefined ? undefined : parseEventCondition(flags.where),
    }
  }

  #findNamed(words: readonly string[], deps: DiagnoseDeps): AsyncIterable<InboxEvent> {
    const [only] = words
    const isOne = words.length === 1 && only !== '-'
    return findEventsById(
      readEventIds(words, path => this.adapters.files.openInput(path)),
      deps,
      async id => {
        if (isOne) return
        await this.note(`${id}: not in the inbox`)
        this.endWith('partial')
      },
    )
  }

  async *#countRows(rows: AsyncIterable<DiagnosisRow>) {
    for await (const row of rows) {
      this.#counts.add(row)
      yield row
    }
  }

  async #printDiagnosis(rows: AsyncIterable<DiagnosisRow>, id: string, target: string): Promise<void> {
    for await (const row of rows) return this.printOne(row, DIAGNOSIS)
    throw describeMissingEvent(id, target)
  }

  async #printSummary(rows: AsyncIterable<DiagnosisRow>): Promise<void> {
    for await (const _ of rows);
    await this.print(this.#counts.groups, CAUSE_GROUPS)
  }

  async #printAll(rows: AsyncIterable<DiagnosisRow>): Promise<void> {
    const shown = await this.print(rows, DIAGNOSES)
    if (shown > 1) await this.note(this.#counts.text)
  }
}
