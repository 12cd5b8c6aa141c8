import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildDiagnoseDeps} from '../../app/events.js'
import {BaseCommand} from '../../cli/base-command.js'
import {eventFlags} from '../../flags/event-flags.js'
import {
  CauseCounts,
  type DiagnoseDeps,
  diagnose,
  findEventsById,
  printCauses,
  printDiagnoses,
  printDiagnosis,
} from '../../webhook/diagnose/diagnose.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import {parseEventFilters} from '../../webhook/event/event-fields.js'
import {readEventIds} from '../../webhook/event/event-ids.js'
import {NEEDS_DOING} from '../../webhook/plan/event-selection.js'
import {describeMissingEvent} from '../../webhook/plan/event-source.js'

export default class WebhookDiagnose extends BaseCommand {
  static override summary = 'Find out why events failed'
  static override description =
    `Checks in the shop's order: webhook token, content type, body, transaction, and payment state. Prints the cause,
the evidence and a command that helps. Sends no event.

Without ids, it diagnoses failed, pending and unknown events. Exits 3 if any event could not be checked.`
  static override examples = [
    '<%= config.bin %> webhook diagnose WH-58D329510W468432D-8HN650336L201105X',
    '<%= config.bin %> webhook diagnose --status failed --since 1d --summary',
    '<%= config.bin %> webhook list --status failed --all -o id | <%= config.bin %> webhook diagnose - -o ndjson',
  ]
  static override strict = false
  static override args = {
    event: Args.string({description: 'Event ids, - for stdin (one per line)', multiple: true}),
  }
  static override flags = {
    ...eventFlags,
    where: Flags.string({description: 'Condition on any field', helpGroup: 'SELECTION', helpValue: 'EXPR'}),
    summary: Flags.boolean({description: 'Count events by cause', helpGroup: 'OUTPUT'}),
    'check-state': Flags.boolean({
      description: 'Look up payments in the shop; --no-check-state uses stored data only',
      default: true,
      allowNo: true,
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookDiagnose)
    const deps = await buildDiagnoseDeps(this.host, this.adapters, flags['check-state'])
    const words = args.event ?? []
    const [only = '-'] = words
    const isOne = words.length === 1 && only !== '-'
    const query = parseEventFilters(flags, this.host.clock.now(), NEEDS_DOING)
    const events =
      words.length > 0 ? this.#findNamed(words, isOne, deps) : deps.inbox.list(deps.target, query)
    const counts = new CauseCounts()
    const rows = counts.count(diagnose(events, deps))
    if (flags.summary) await printCauses(rows, counts, this.presenter)
    else if (isOne) await printDiagnosis(rows, describeMissingEvent(only, deps.target), this.presenter)
    else await printDiagnoses(rows, counts, this.presenter)
    if (!isOne) await this.noteIfEmpty(counts.groups.length, 'events to diagnose in the inbox of')
    if (counts.has('not-diagnosed')) this.endWith('partial')
  }

  #findNamed(words: readonly string[], isOne: boolean, deps: DiagnoseDeps): AsyncIterable<InboxEvent> {
    const ids = readEventIds(words, path => this.adapters.files.openInput(path))
    return findEventsById(ids, deps, async id => {
      if (isOne) return
      await this.note(`${id}: not in the inbox`)
      this.endWith('partial')
    })
  }
}
