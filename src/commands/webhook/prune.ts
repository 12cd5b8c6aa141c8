import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError, StorectlError} from '../../errors.js'
import {eventFlags} from '../../flags/event-flags.js'
import {durationFlag} from '../../flags/flag-kinds.js'
import {changeFlags} from '../../flags/global-flags.js'
import {describeMachine} from '../../platform/processes.js'
import {parseEventCondition} from '../../webhook/event/event-fields.js'
import type {Outdated} from '../../webhook/inbox/inbox.js'
import {
  describeHeld,
  type Erased,
  PRUNED,
  type PruneDeps,
  type PrunedRow,
  prune,
  pruneDryRun,
} from '../../webhook/triage/triage.js'

export default class WebhookPrune extends BaseCommand {
  static override baseFlags = changeFlags
  static override summary = 'Delete old events, or those of a person'
  static override description =
    `Deletes events with their bodies, headers and attempts, then vacuums the database. Events needed by an
unfinished replay stay. Audit logs stay; they contain hashes and no bodies. Delivered events are not sent again,
even after another import.

--where 'payer = "ada@example.org"' erases a person: also what is known of the signatures. "webhook list" takes
the same condition and shows the events first. stderr counts the runs and backups that still hold something.

Exits 3 if another process blocks the vacuum. Safe to re-run.`
  static override examples = [
    '<%= config.bin %> webhook prune --older-than 30d --keep-failed --dry-run',
    '<%= config.bin %> webhook prune --older-than 30d --keep-failed --profile shop --yes',
    `<%= config.bin %> webhook prune --where 'payer = "ada@example.org"' --dry-run`,
  ]
  static override changes = true
  static override flags = {
    'older-than': durationFlag({
      description: 'Delete events created longer ago than this',
      helpGroup: 'SELECTION',
      helpValue: '30d',
    }),
    where: eventFlags.where,
    'keep-failed': Flags.boolean({
      description: 'Delete only delivered and resolved events',
      helpGroup: 'SELECTION',
    }),
    'dry-run': Flags.boolean({description: 'Count events, and delete nothing', helpGroup: 'SAFETY'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookPrune)
    const {'older-than': age, where} = flags
    if (age === undefined && where === undefined) throw createNothingChosenError()
    const {inbox, target} = await this.adapters.openInbox()
    const now = this.host.clock.now()
    const before = age === undefined ? undefined : new Date(now.getTime() - age)
    const condition = where === undefined ? undefined : parseEventCondition(where)
    const outdated: Outdated = {before, keepFailed: flags['keep-failed'], where: condition}
    if (!flags['dry-run']) return this.#prune(outdated, {inbox, target, now})
    await this.#print(await pruneDryRun(outdated, {inbox, target}))
    await this.note('Dry run: nothing was deleted')
  }

  async #prune(outdated: Outdated, deps: Pick<PruneDeps, 'inbox' | 'target' | 'now'>): Promise<void> {
    const {row, erased} = await prune(outdated, {
      ...deps,
      who: describeMachine(this.host.env).who,
      signal: this.host.interruption.stopping,
      confirm: what => this.adapters.confirmChange(what),
      erase: () => this.#erase(),
    })
    await this.#print(row)
    if (erased?.kind !== 'in-use') return
    await this.note(`The database file may still contain deleted data: ${erased.why}.`)
    this.endWith('partial')
  }

  async #print(row: PrunedRow): Promise<void> {
    await this.printOne(row, PRUNED)
    const held = describeHeld(row)
    if (held !== undefined) await this.note(held)
  }

  /** What was deleted stays deleted, also when there is no room to rewrite the file. */
  async #erase(): Promise<Erased> {
    const records = await this.adapters.openRecords()
    return records.erase().catch((error: unknown) => {
      if (error instanceof StorectlError) return {kind: 'in-use' as const, why: error.message}
      throw error
    })
  }
}

function createNothingChosenError() {
  return createUsageError('nothing_chosen', 'Missing --older-than or --where.', [
    'storectl webhook prune --older-than 30d --keep-failed --dry-run',
  ])
}
