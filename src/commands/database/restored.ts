import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {RESTORED_VIEW} from '../../database/database-view.js'
import {createUsageError} from '../../errors.js'
import {runFlags} from '../../flags/global-flags.js'
import {describeMachine} from '../../platform/processes.js'

export default class DatabaseRestored extends BaseCommand {
  static override summary = 'Show whether the records were restored from a backup'
  static override description =
    `This home notes, outside of the database, how far it has seen the ledger of runs. Records that end before it, or
have other rows, were restored from a backup. What is open in them may have been delivered since: replays and
submits look it up first and hold what no state shows (unknown-result); only --include-unknown sends that.

Before --checked, compare both sides: "payment reconcile". Resolve events that were delivered: "webhook resolve".
Send those that were not: "webhook replay ID --include-unknown". Afterwards, what is open counts as not delivered.`
  static override examples = [
    '<%= config.bin %> database restored',
    '<%= config.bin %> database restored --checked --reason "compared with the provider, ticket 4711"',
  ]
  static override changes = true
  static override flags = {
    checked: Flags.boolean({
      description: 'Confirm that what was open has been checked',
      helpGroup: 'SAFETY',
      dependsOn: ['reason'],
    }),
    reason: runFlags.reason,
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(DatabaseRestored)
    const {restored, seen, runs, noteChecked} = await this.adapters.openRecords()
    const reason = flags.reason?.trim() ?? ''
    if (flags.checked && reason === '') throw createNoReasonError()
    if (flags.checked && restored === undefined) throw createNotRestoredError()
    if (flags.checked) await noteChecked({who: describeMachine(this.host.env).who, reason})
    const {number: row} = await runs.readRunLedgerHead()
    const why = flags.checked ? null : (restored ?? null)
    await this.printOne({restored: why !== null, why, row, seen: seen.read()?.number ?? 0}, RESTORED_VIEW)
    if (why !== null) await this.note('To confirm: storectl database restored --checked --reason TEXT')
  }
}

function createNoReasonError() {
  return createUsageError('no_reason', 'Missing --reason.', ['add --reason "what was checked"'])
}

function createNotRestoredError() {
  return createUsageError(
    'not_restored',
    'The records are those that this home knows. Nothing was changed.',
    ['storectl database restored'],
  )
}
