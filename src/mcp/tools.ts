/** A command that reads, and what a program may give it. */
export interface Tool {
  /** Id of the command that answers; the published schema of its rows has the same name. */
  readonly command: string
  /** The summary of the command, unless it says more. */
  readonly description?: string
  /** Flags that are accepted: none names a file or a shop, or releases held events. */
  readonly flags: readonly string[]
  /** Whether the command's argument is accepted. */
  readonly takesArgument?: boolean
  /** Words that the command always gets. */
  readonly always?: readonly string[]
  /** Whether it writes a plan file, which a person applies. */
  readonly writesPlan?: boolean
}

const EVENTS = ['status', 'type', 'since', 'until', 'where', 'cause']
const CUSTOMERS = ['email', 'number', 'name', 'company', 'group', 'country', 'city', 'zip', 'tag', 'where']

const FIELDS =
  'id,customerNumber,firstName,lastName,email,active,guest,orderCount,orderTotalAmount,lastOrderDate'

/** All tools by their names. None changes the shop, an event or a run. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  status: {command: 'status', flags: ['since'], description: 'Show what is open at the shop'},
  list_events: {command: 'webhook:list', flags: [...EVENTS, 'sort', 'group-by']},
  show_event: {command: 'webhook:show', flags: ['attempts'], takesArgument: true},
  diagnose_events: {command: 'webhook:diagnose', flags: EVENTS, takesArgument: true},
  plan_replay: {
    command: 'webhook:replay',
    description:
      'Plan to send failed and pending events again, and send nothing: a person applies the plan file',
    flags: EVENTS,
    writesPlan: true,
  },
  list_runs: {command: 'run:list', flags: ['kind', 'state', 'where', 'sort']},
  show_run: {command: 'run:show', flags: ['results'], takesArgument: true},
  reconcile_payments: {
    command: 'payment:reconcile',
    description: 'List payments that differ between shop and provider, and repair none; may take minutes',
    flags: ['since', 'until', 'sales-channel', 'where'],
  },
  search_customers: {
    command: 'customer:search',
    description: 'Find customers; personal data is masked',
    flags: [...CUSTOMERS, 'sort', 'created-since', 'created-until', 'last-order-since', 'last-order-until'],
    takesArgument: true,
    always: ['--mask-pii', '--quiet', `--fields=${FIELDS}`],
  },
}
