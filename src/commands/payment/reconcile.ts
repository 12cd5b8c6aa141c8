import {openRepairPlanner} from '../../app/payment/repair-planner.js'
import {buildReconciliation} from '../../app/payments.js'
import {buildRepair} from '../../app/repairs.js'
import {BaseCommand} from '../../cli/base-command.js'
import {describeRepairPrivileges} from '../../doctor/privileges.js'
import type {ExitName} from '../../errors.js'
import {runFlags} from '../../flags/global-flags.js'
import {
  REPAIR_RESULT_FIELDS,
  type ReconcileFlags,
  reconcileFlags,
  writeResumeCommand,
} from '../../flags/payment-flags.js'
import {presentReconciliation} from '../../payment/reconcile/present-reconciliation.js'
import {prepareRun} from '../../runs/bulk-run.js'
import {presentRun} from '../../runs/report/present-run.js'

export default class PaymentReconcile extends BaseCommand {
  static override baseFlags = runFlags
  static override summary = 'Find and repair payments that differ from the provider'
  static override description =
    `Lists payments where shop and provider differ: a capture or refund is missed, made twice or of another amount, or
one side does not know the payment. Also lists authorizations that end soon, and money of orders that were cancelled or
returned. What seems to differ is looked up again on both sides.

--plan FILE writes how each would be repaired: by an event, by a transition that the shop allows, or by hand.
--apply FILE repairs what still differs in the planned way; the result is the payment's state afterwards. Safe to
re-run. Flows of the shop run, so customers may get e-mails; --plan FILE --skip-flows prevents that.

Exits 0 if nothing differs, 3 if something does. Needs provider credentials that may search transactions.
${describeRepairPrivileges()}`
  static override examples = [
    '<%= config.bin %> payment reconcile',
    '<%= config.bin %> payment reconcile --profile shop --since 30d',
    `<%= config.bin %> payment reconcile --where 'state = "unconfirmed"' -o ndjson`,
    '<%= config.bin %> payment reconcile --report drift.html',
    '<%= config.bin %> payment reconcile --plan monday.plan',
    '<%= config.bin %> payment reconcile --apply monday.plan --profile shop --yes',
  ]
  static override changes = true
  static override needsChosenShop = true
  static override flags = reconcileFlags

  #isChange = true

  protected override get isChange(): boolean {
    return this.#isChange
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(PaymentReconcile)
    this.#isChange = flags.apply !== undefined || flags.plan !== undefined
    this.endWith(await (flags.apply === undefined ? this.#compare(flags) : this.#repair(flags.apply, flags)))
  }

  async #repair(path: string, flags: ReconcileFlags): Promise<ExitName> {
    this.presenter.requireFields(REPAIR_RESULT_FIELDS)
    const run = await prepareRun(await buildRepair(this.host, this.adapters, path, flags))
    return presentRun(run, this.runOutput)
  }

  async #compare(flags: ReconcileFlags): Promise<ExitName> {
    const opened = await buildReconciliation(this.host, this.adapters, flags, openRepairPlanner)
    for (const note of opened.notes) await this.note(note)
    const resumeCommand = writeResumeCommand(this.argv, opened.comparison.id)
    return presentReconciliation({...opened, resumeCommand}, this.runOutput)
  }
}
