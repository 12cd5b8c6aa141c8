import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildResolution} from '../../app/webhook/events.js'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {eventFlags} from '../../flags/event-flags.js'
import {runFlags} from '../../flags/global-flags.js'
import {resolveChosen} from '../../webhook/triage/resolve-chosen.js'
import {hasFallenShort, RESOLUTIONS, type ResolutionRow} from '../../webhook/triage/triage.js'

export default class WebhookResolve extends BaseCommand {
  static override baseFlags = runFlags
  static override summary = 'Mark events as resolved'
  static override description =
    `Sets the status to "resolved" and stores user, time and reason ("webhook show --attempts" shows them). Sends
nothing. Replays skip resolved events unless you pass --include-resolved. Delivered events stay delivered.
--undo restores the previous status. Exits 3 if an id is not in the inbox. A single id that is not there
exits 9.`
  static override examples = [
    '<%= config.bin %> webhook resolve WH-58D329510W468432D-8HN650336L201105X --reason "refunded in the shop, ticket 4711"',
    `<%= config.bin %> webhook list --where 'message contains "token"' --all -o id | <%= config.bin %> webhook resolve - --reason "old shop" --profile shop --yes`,
    '<%= config.bin %> webhook resolve --cause unknown-transaction --since 1d --reason "orders of the old shop"',
    '<%= config.bin %> webhook resolve WH-58D329510W468432D-8HN650336L201105X --undo',
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
    undo: Flags.boolean({
      description: 'Restore the previous status',
      helpGroup: 'SELECTION',
      // What is resolved has no other cause.
      exclusive: ['cause'],
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookResolve)
    const reason = this.globals.reason?.trim() || null
    if (!flags.undo && reason === null) throw createNoReasonError()
    const words = args.event ?? []
    const load = () => import('../../app/webhook/diagnosis.js')
    const deps = await buildResolution(this.host, this.adapters, flags.cause, load)
    const {count, rows} = await resolveChosen({words, flags, reason}, deps)
    const noted = this.#noteRows(rows)
    const groups = await this.printGrouped?.(noted, RESOLUTIONS, count)
    const shown = groups?.shown ?? (await this.print(noted, RESOLUTIONS))
    await this.noteShown(shown, RESOLUTIONS.noun, async () => count)
    await this.noteIfEmpty(count, `${flags.undo ? 'resolved events' : 'events to resolve'} in the inbox of`)
  }

  async *#noteRows(rows: AsyncIterable<ResolutionRow>) {
    for await (const row of rows) {
      if (hasFallenShort(row)) this.endWith('partial')
      yield row
    }
  }
}

function createNoReasonError() {
  return createUsageError('no_reason', 'Missing --reason.', ['add --reason "what was done"'])
}
