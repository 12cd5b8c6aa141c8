import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {momentFlag} from '../../flags/flag-kinds.js'
import {listOrders, ORDERS} from '../../order/list-orders.js'

/** Enough for a look; who wants more says so. */
const DEFAULT_LIMIT = 25

export default class OrderList extends BaseCommand {
  static override summary = 'List submitted orders as the shop has them, the newest first'
  static override examples = [
    '<%= config.bin %> order list',
    '<%= config.bin %> order list --since 2h --status on_hold',
    '<%= config.bin %> order list --all --reference WEB- -o ndjson',
  ]
  static override flags = {
    reference: Flags.string({description: 'how the reference begins', helpValue: 'TEXT'}),
    status: Flags.string({
      description: 'only these',
      options: ['received', 'on_hold'],
      multiple: true,
      multipleNonGreedy: true,
    }),
    since: momentFlag({description: 'submitted at this time or later'}),
    until: momentFlag({description: 'submitted before this time'}),
    limit: Flags.integer({description: 'how many at most (default 25)', min: 1, exclusive: ['all']}),
    all: Flags.boolean({description: 'all of them, streamed'}),
    'fail-if-empty': Flags.boolean({description: 'exit 9 when there is none'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(OrderList)
    const {clock, interruption} = this.host
    const now = clock.now()
    const query = {
      reference: flags.reference,
      statuses: flags.status,
      since: flags.since?.(now),
      until: flags.until?.(now),
      limit: flags.all ? undefined : (flags.limit ?? DEFAULT_LIMIT),
    }
    const orders = listOrders(query, await this.adapters.connect(), interruption.stopping)
    const shown = await this.print(orders, ORDERS)
    await this.noteIfEmpty(shown, 'such orders at')
    if (shown === 0 && flags['fail-if-empty']) this.endWith('empty')
  }
}
