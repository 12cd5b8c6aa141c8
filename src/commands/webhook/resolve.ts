import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildEventFilter} from '../../app/webhook/events.js'
import {markChosen} from '../../app/webhook/resolution.js'
import {BaseCommand} from '../../cli/base-command.js'
import type {ResolutionRow} from '../../contract/event-rows.js'
import {eventFlags} from '../../flags/event-flags.js'
import {runFlags} from '../../flags/global-flags.js'
import {describeMarked, hasFallenShort, RESOLUTIONS} from '../../webhook/triage/mark-events.js'
import {requireRunToUndo} from '../../webhook/triage/resolve-chosen.js'

export default class WebhookResolve extends BaseCommand {
  static override baseFlags = runFlags
  static override summary = 'Mark events as resolved'
  static override description =
    `Sets the status to "resolved", as a run with user, time and reason ("run show" and "webhook show" show them).
Sends nothing. Replays skip resolved events unless you pass --include-resolved. Delivered events stay delivered.
--undo restores the status of all that a run resolved; an event that has changed since stays as it is.

Exits 3 if an id is not in the inbox, or has changed since. A single id that is not there exits 9.`
  static override examples = [
    '<%= config.bin %> webhook resolve WH-58D329510W468432D-8HN650336L201105X --reason "refunded in the shop, ticket 4711"',
    `<%= config.bin %> webhook list --where 'message contains "token"' --all -o id | <%= config.bin %> webhook resolve - --reason "old shop" --profile shop --yes`,
    '<%= config.bin %> webhook resolve --cause unknown-transaction --since 1d --reason "orders of the old shop"',
    '<%= config.bin %> webhook resolve --undo last',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    event: Args.string({
      description: 'Event ids or unique prefixes, - for stdin (one per line)',
      multiple: true,
    }),
  }
  static override flags = {
    ...eventFlags,
    all: Flags.boolean({
      description: 'On a terminal: list all events, not only examples',
      helpGroup: 'OUTPUT',
    }),
    undo: Flags.string({
      description: 'Restore what this run resolved: last, an id, or a unique prefix',
      helpGroup: 'SELECTION',
      helpValue: 'RUN',
    }),
  }

  async run(): Promise<void> {
    requireRunToUndo(this.argv)
    const {args, flags} = await this.parse(WebhookResolve)
    const reason = this.globals.reason?.trim() || null
    const load = () => import('../../app/webhook/diagnosis.js')
    const narrow = await buildEventFilter(this.host, this.adapters, flags.cause, load)
    const request = {words: args.event ?? [], flags, reason, narrow}
    const {count, run, rows} = await markChosen(this.host, this.adapters, request)
    const noted = this.#noteRows(rows)
    const groups = await this.printGrouped?.(noted, RESOLUTIONS, count)
    const shown = groups?.shown ?? (await this.print(noted, RESOLUTIONS))
    await this.noteShown(shown, RESOLUTIONS.noun, async () => count)
    if (!run.isComplete) this.endWith('stopped')
    if (run.id !== undefined) await this.note(describeMarked(run))
    await this.noteIfEmpty(count, `events to ${flags.undo ? 'restore' : 'resolve'} in the inbox of`)
  }

  async *#noteRows(rows: AsyncIterable<ResolutionRow>) {
    for await (const row of rows) {
      if (hasFallenShort(row)) this.endWith('partial')
      yield row
    }
  }
}
