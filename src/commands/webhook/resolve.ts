import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildResolution, findResolve} from '../../app/webhook/events.js'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {eventFlags} from '../../flags/event-flags.js'
import {runFlags} from '../../flags/global-flags.js'
import {isLikeEventId} from '../../webhook/event/event-ids.js'
import {
  describeMarked,
  hasFallenShort,
  RESOLUTIONS,
  type ResolutionRow,
} from '../../webhook/triage/mark-events.js'
import {resolveChosen, undoResolve} from '../../webhook/triage/resolve-chosen.js'

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
    const {host, adapters} = this
    const {undo} = flags
    const reason = this.globals.reason?.trim() || null
    if (undo === undefined && reason === null) throw createNoReasonError()
    const request = {words: args.event ?? [], flags, reason}
    const load = () => import('../../app/webhook/diagnosis.js')
    const undone = undo === undefined ? undefined : await findResolve(host, adapters, undo)
    const deps = await buildResolution(host, adapters, flags.cause, load)
    const marked = await (undone ? undoResolve(undone, request, deps) : resolveChosen(request, deps))
    const {count, run} = marked
    const noted = this.#noteRows(marked.rows)
    const groups = await this.printGrouped?.(noted, RESOLUTIONS, count)
    const shown = groups?.shown ?? (await this.print(noted, RESOLUTIONS))
    await this.noteShown(shown, RESOLUTIONS.noun, async () => count)
    if (!run.isComplete) this.endWith('stopped')
    const came = describeMarked(run)
    if (came !== undefined) await this.note(came)
    await this.noteIfEmpty(
      count,
      `${undone ? `events that run ${undone.id} resolved` : 'events to resolve'} in the inbox of`,
    )
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

/** Earlier versions had a switch of this name, beside ids or filters. @throws StorectlError `usage.no_run` */
function requireRunToUndo(argv: readonly string[]): void {
  const at = argv.indexOf('--undo')
  const run = argv[at + 1] ?? '-'
  if (at < 0 || !(run.startsWith('-') || isLikeEventId(run))) return
  throw createUsageError('no_run', '--undo takes the run whose events are to be restored.', [
    'storectl webhook resolve --undo last',
    'storectl run list --kind resolve',
    'storectl webhook show ID   (names the run that resolved an event)',
  ])
}
