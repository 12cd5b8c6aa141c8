import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {confirmResolution} from '../../app/events.js'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {describeMachine} from '../../platform/processes.js'
import {countIds, readEventIds} from '../../webhook/event/event-ids.js'
import {hasFallenShort, RESOLUTIONS, type ResolutionRow, resolveEvents} from '../../webhook/triage/triage.js'

export default class WebhookResolve extends BaseCommand {
  static override summary = 'Take events that were dealt with by hand off the failed list'
  static override description =
    `The status becomes "resolved"; who said so, when and why is kept and shown by "webhook show --attempts". Nothing is
sent, now or by a later replay, unless that says --include-resolved. What was delivered needs no resolving and stays as it
is. --undo gives events the status back that they had. Exit 3 when an id is not in the inbox.`
  static override examples = [
    '<%= config.bin %> webhook resolve WH-58D329510W468432D-8HN650336L201105X --reason "refunded in the shop, ticket 4711"',
    `<%= config.bin %> webhook list --where 'cause contains "token"' --all -o id | <%= config.bin %> webhook resolve - --reason "old shop" --profile shop --yes`,
    '<%= config.bin %> webhook resolve WH-58D329510W468432D-8HN650336L201105X --undo',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    event: Args.string({
      description: 'ids of events; - for standard input, one a line',
      required: true,
      multiple: true,
    }),
  }
  static override flags = {undo: Flags.boolean({description: 'put them back to the status they had'})}

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookResolve)
    const reason = this.globals.reason?.trim() || null
    if (!flags.undo && reason === null) throw createNoReasonError()
    const opened = await this.adapters.openInbox()
    const {who} = describeMachine(this.host.env)
    const read = await this.#openIds(args.event)
    const count = await countIds(read())
    await confirmResolution(this.adapters, flags.undo ? 'reopen' : 'resolve', count)
    const word = {at: this.host.clock.now(), who, reason}
    const rows = resolveEvents(flags.undo ? 'reopen' : 'resolve', read(), word, opened)
    await this.print(this.#noteRows(rows), RESOLUTIONS)
  }

  /** The ids, which are read twice: standard input is stored meanwhile. */
  async #openIds(words: readonly string[]): Promise<() => AsyncIterable<string[]>> {
    const input = words.includes('-') ? await this.adapters.files.openInput('-') : undefined
    return () => readEventIds(words, async () => input as NonNullable<typeof input>)
  }

  async *#noteRows(rows: AsyncIterable<ResolutionRow>) {
    for await (const row of rows) {
      if (hasFallenShort(row)) this.endWith('partial')
      yield row
    }
  }
}

function createNoReasonError() {
  return createUsageError(
    'no_reason',
    'A reason is needed: whoever looks at the event later will ask for it.',
    ['add --reason "what was done"'],
  )
}
