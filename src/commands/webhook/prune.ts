import * as Flags from '@oclif/core/flags'
import {confirmChange} from '../../app/events.js'
import {BaseCommand} from '../../cli/base-command.js'
import {StorectlError} from '../../errors.js'
import {durationFlag} from '../../flags/flag-kinds.js'
import type {Outdated} from '../../webhook/inbox/inbox.js'
import {type Erased, PRUNED, type PruneDeps, prune, pruneDryRun} from '../../webhook/triage/triage.js'

export default class WebhookPrune extends BaseCommand {
  static override summary = 'Delete old events, so that what payers told does not lie about for ever'
  static override description =
    `Deletes events of the chosen shop that the provider created longer ago than --older-than, with bodies, headers and
what was said about them, and rewrites the file, so that nothing of them is left in it. What a replay that has not ended may
need stays. Runs keep their records, which hold hashes and no bodies; what was delivered is not sent again, also when it is
imported anew.

Exit 3 when another process kept the file in use, so that pieces may still lie in it: the same command again clears them.`
  static override examples = [
    '<%= config.bin %> webhook prune --older-than 30d --keep-failed --dry-run',
    '<%= config.bin %> webhook prune --older-than 30d --keep-failed --profile shop --yes',
  ]
  static override changes = true
  static override flags = {
    'older-than': durationFlag({
      description: 'created longer ago than this',
      required: true,
      helpValue: '30d',
    }),
    'keep-failed': Flags.boolean({description: 'only what was delivered or resolved'}),
    'dry-run': Flags.boolean({description: 'count, and delete nothing'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookPrune)
    const {inbox, target} = await this.adapters.openInbox()
    const now = this.host.clock.now()
    const before = new Date(now.getTime() - flags['older-than'])
    const outdated: Outdated = {before, keepFailed: flags['keep-failed']}
    if (!flags['dry-run']) return this.#prune(outdated, {inbox, target, now})
    await this.printOne(await pruneDryRun(outdated, {inbox, target}), PRUNED)
    await this.note('nothing was deleted')
  }

  async #prune(outdated: Outdated, deps: Pick<PruneDeps, 'inbox' | 'target' | 'now'>): Promise<void> {
    const {row, erased} = await prune(outdated, {
      ...deps,
      signal: this.host.interruption.stopping,
      confirm: what => confirmChange(this.adapters, what),
      erase: () => this.#erase(),
    })
    await this.printOne(row, PRUNED)
    if (erased?.kind !== 'in-use') return
    await this.note(`The records may still hold pieces of them: ${erased.why}.`)
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
