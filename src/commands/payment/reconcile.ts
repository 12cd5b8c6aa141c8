import {buildReconciliation} from '../../app/payments.js'
import {BaseCommand} from '../../cli/base-command.js'
import {reconcileFlags} from '../../flags/payment-flags.js'
import {presentReconciliation} from '../../payment/reconcile/present-reconciliation.js'
import {parseReconcileOptions} from '../../payment/reconcile/reconcile-options.js'

export default class PaymentReconcile extends BaseCommand {
  static override summary = 'Find payments that differ from the provider'
  static override description =
    `Compares the shop's payments with the transactions of the provider, and lists those that differ: a capture or
refund that the shop has not followed, a payment that only one side knows, another amount, a second capture, a
late cancellation, money that the provider holds back. What seems to differ is looked up again on both sides.
Nothing is changed.

Exits 0 if nothing differs, 3 if something does. Needs the provider credentials of the profile, with the right to
search transactions.`
  static override examples = [
    '<%= config.bin %> payment reconcile',
    '<%= config.bin %> payment reconcile --profile shop --since 30d',
    `<%= config.bin %> payment reconcile --where 'state = "unconfirmed"' -o ndjson`,
  ]
  static override flags = reconcileFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(PaymentReconcile)
    const options = parseReconcileOptions(flags, this.host.clock.now())
    const reconciliation = await buildReconciliation(this.host, this.adapters, options)
    this.endWith(await presentReconciliation(reconciliation, this.runOutput))
  }
}
