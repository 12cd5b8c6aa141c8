import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {StorectlError} from '../../errors.js'
import {durationFlag} from '../../flags/flag-kinds.js'
import {changeFlags} from '../../flags/global-flags.js'
import {describeMachine} from '../../platform/processes.js'
import type {Outdated} from '../../webhook/inbox/inbox.js'
import {type Erased, PRUNED, type PruneDeps, prune, pruneDryRun} from '../../webhook/triage/triage.js'

export default class WebhookPrune extends BaseCommand {
  static override baseFlags = changeFlags
  static override summary = 'Delete old events and their personal data'
  static override description =
    `Deletes events with their bodies, headers and attempts, then vacuums the database. Events needed by an
unfinished replay stay. Audit logs stay; they contain hashes and no bodies. Delivered events are not sent again,
even after another import.

Exits 3 if another process blocks the vacuum. Safe to re-run.`
  static override examples = [
    '<%= config.bin %> webhook prune --older-than 30d --keep-failed --dry-run',
    '<%= config.bin %> webhook prune --older-than 30d --keep-failed --profile shop --yes',
  ]
  static override changes = true
  static override flags = {
    'older-than': durationFlag({
      description: 'Delete events created longer ago than this',
      helpGroup: 'SELECTION',
      required: true,
      helpValue: '30d',
    }),
    'keep-failed': Flags.boolean({
      description: 'Delete only delivered and resolved events',
      helpGroup: 'SELECTION',
    }),
    'dry-run': Flags.boolean({description: 'Count events, and delete nothing', helpGroup: 'SAFETY'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookPrune)
    const {inbox, target} = await this.adapters.openInbox()
    const now = this.host.clock.now()
    const before = new Date(now.getTime() - flags['older-than'])
    const outdated: Outdated = {before, keepFailed: flags['keep-failed']}
    if (!flags['dry-run']) return this.#prune(outdated, {inbox, target, now})
    await this.printOne(await pruneDryRun(outdated, {inbox, target}), PRUNED)
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
    await this.printOne(row, PRUNED)
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
