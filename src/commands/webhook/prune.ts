import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {StorectlError} from '../../errors.js'
import {eventFlags} from '../../flags/event-flags.js'
import {durationFlag} from '../../flags/flag-kinds.js'
import {changeFlags} from '../../flags/global-flags.js'
import {describeMachine} from '../../platform/processes.js'
import {type Erased, PRUNED, parseOutdated, prune} from '../../webhook/triage/triage.js'

export default class WebhookPrune extends BaseCommand {
  static override baseFlags = changeFlags
  static override summary = 'Delete old events, or those of a person'
  static override description =
    `Deletes events with their bodies, headers and attempts, then vacuums the database. Events needed by an
unfinished replay stay. Audit logs stay; they contain hashes and no bodies. Delivered events are not sent again,
even after another import.

--where 'payer = "ada@example.org"' erases a person, and names the runs and backups that still hold something.
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
    const now = this.host.clock.now()
    const {row, erased} = await prune(parseOutdated(flags, now), {
      ...(await this.adapters.openInbox()),
      ...{now, isDryRun: flags['dry-run'], who: describeMachine(this.host.env).who},
      signal: this.host.interruption.stopping,
      confirm: what => this.adapters.confirmChange(what),
      erase: () => this.#erase(),
    })
    await this.printOne(row, PRUNED)
    if (flags.where !== undefined) await this.noteIfEmpty(row.events, 'such events in the inbox of')
    if (flags['dry-run']) return this.note('Dry run: nothing was deleted')
    if (erased?.kind !== 'in-use') return
    await this.note(`The database file may still contain deleted data: ${erased.why}.`)
    this.endWith('partial')
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
