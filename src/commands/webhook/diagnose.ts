import * as Args from '@oclif/core/args'
import {buildDiagnoseDeps} from '../../app/webhook/diagnosis.js'
import {BaseCommand} from '../../cli/base-command.js'
import {diagnoseFlags, writeGroupCommand} from '../../flags/diagnose-flags.js'
import type {EventFlags} from '../../flags/event-flags.js'
import {listAskedEvents} from '../../webhook/choose/asked-events.js'
import {hasFilters} from '../../webhook/choose/event-selection.js'
import {describeMissingEvent} from '../../webhook/choose/find-event.js'
import {CauseCounts, presentDiagnoses} from '../../webhook/diagnose/cause-groups.js'
import {diagnose, keepCauses} from '../../webhook/diagnose/diagnose.js'
import {describeFilters} from '../../webhook/event/event-fields.js'
import {NEEDS_DOING} from '../../webhook/event/event-status.js'
import {EVENTS} from '../../webhook/inbox/event-view.js'

export default class WebhookDiagnose extends BaseCommand {
  static override summary = 'Find out why events failed'
  static override description =
    `Checks in the shop's order: webhook token, content type, body, transaction, and payment state. Prints the cause,
the evidence and a command that helps. Sends no event.

Without ids, it groups failed, pending and unknown events by cause. Each group has an example, and one remedy and
command for all of it: replay, resolve, or what a person decides by hand. Exits 3 if any event could not be checked or is not in the
inbox. A single id that is not there exits 9.

Privileges: order_transaction:read, state_machine_state:read, payment_method:read, order:read, currency:read.`
  static override examples = [
    '<%= config.bin %> webhook diagnose WH-58D329510W468432D-8HN650336L201105X',
    '<%= config.bin %> webhook diagnose --status failed --since 1d',
    '<%= config.bin %> webhook list --status failed --all -o id | <%= config.bin %> webhook diagnose - -o ndjson',
  ]
  static override strict = false
  static override args = {
    event: Args.string({
      description: 'Event ids or unique prefixes, - for stdin (one per line)',
      multiple: true,
    }),
  }
  static override flags = diagnoseFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookDiagnose)
    const [onMissing, {note}] = [(id: string) => this.#noteMissing(id), this.runOutput]
    const deps = await buildDiagnoseDeps(this.host, this.adapters, flags['check-state'], note)
    const words = args.event ?? []
    const [only = '-'] = words
    const isOne = words.length === 1 && only !== '-'
    const asked = {words, flags, now: this.host.clock.now(), statuses: NEEDS_DOING, onMissing, note}
    const events = await listAskedEvents(asked, deps, this.adapters.files.openInput)
    const counts = new CauseCounts((verb, cause) => writeGroupCommand(this.argv, verb, cause))
    const rows = counts.count(keepCauses(diagnose(events, deps), flags.cause))
    const isGrouped = flags.summary ?? words.length === 0
    const missing = isOne ? describeMissingEvent(only, deps.target) : undefined
    await presentDiagnoses(rows, counts, {isGrouped, missing}, this.presenter)
    if (!isOne) await this.noteFound(counts.total, EVENTS.noun, `${describeAsked(flags)} in the inbox of`)
    if (counts.has('not-diagnosed') || counts.has('unknown-version')) this.endWith('partial')
  }

  async #noteMissing(id: string): Promise<void> {
    await this.note(`${id}: not in the inbox`)
    this.endWith('partial')
  }
}

function describeAsked(flags: EventFlags): string {
  return hasFilters(flags) ? describeFilters(flags) : 'events to diagnose'
}
