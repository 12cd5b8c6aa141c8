import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {createListFlags} from '../../flags/list-flags.js'
import {paymentFilterFlags} from '../../flags/payment-flags.js'
import {parseListOrder} from '../../language/list-order.js'
import {describeSpan} from '../../output/describe-shown.js'
import {PAYMENTS_SORTED_BY} from '../../payment/reconcile/payment-fields.js'
import {parsePaymentFilter} from '../../payment/reconcile/reconcile-options.js'
import {countPayments, listPayments} from '../../payment/view/list-payments.js'
import {PAYMENTS} from '../../payment/view/payment-row.js'

export default class PaymentList extends BaseCommand {
  static override summary = 'List payments of the shop, newest first'
  static override description = `One row for each order, with its last transaction.

Privileges: order_transaction:read, state_machine_state:read, order:read, currency:read.`
  static override examples = [
    '<%= config.bin %> payment list',
    '<%= config.bin %> payment list --state unconfirmed --state open --since 2d',
    `<%= config.bin %> payment list --all --where 'amount > 500' -o csv`,
    '<%= config.bin %> payment list --since 1d --sort amount:desc',
  ]
  static override flags = {
    state: Flags.string({
      description: 'Only payments in this state',
      helpGroup: 'SELECTION',
      helpValue: 'STATE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...paymentFilterFlags,
    ...createListFlags('payments'),
    'fail-if-empty': Flags.boolean({description: 'Exit 9 if no payment is found', helpGroup: 'OUTPUT'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(PaymentList)
    const query = {
      ...parsePaymentFilter(flags, this.host.clock.now()),
      states: flags.state,
      order: flags.sort === undefined ? undefined : parseListOrder(flags.sort, PAYMENTS_SORTED_BY),
      limit: flags.all ? undefined : (flags.limit ?? this.presenter.usualLimit),
    }
    const shop = await this.adapters.connect()
    const {stopping} = this.host.interruption
    const shown = await this.print(listPayments(query, shop, stopping), PAYMENTS)
    const such = flags.state || query.matches || query.salesChannel ? 'such ' : ''
    await this.noteIfEmpty(shown, `${such}${describeSpan(PAYMENTS.noun, query)} at`)
    const countAll = () => countPayments({...query, isOpenEnded: !flags.until}, shop, stopping)
    await this.noteShown(shown, PAYMENTS.noun, async () => (shown === query.limit ? countAll() : shown))
    if (shown === 0 && flags['fail-if-empty']) this.endWith('empty')
  }
}
