/** JSON that later versions keep. */
interface Promised {
  /** What it is. */
  readonly about: string
  /** Ids of the commands whose `-o json` and `-o ndjson` print it; none for files, alerts and stderr. */
  readonly commands: readonly string[]
}

const describeRows = (...commands: string[]): Promised => {
  const names = commands.map(id => id.replaceAll(':', ' ')).join(', ')
  return {about: `A row of ${names}`, commands}
}
const describeOther = (about: string, ...commands: string[]): Promised => ({about, commands})

/** JSON that later versions keep, by the names of its schemas. */
export const PROMISED = {
  'webhook-list': describeRows('webhook:list'),
  'webhook-show': describeRows('webhook:show'),
  'webhook-diagnose': describeRows('webhook:diagnose'),
  'webhook-replay': describeRows('webhook:replay', 'run:resume'),
  'webhook-resolve': describeRows('webhook:resolve'),
  'order-submit': describeRows('order:submit', 'run:resume'),
  'order-list': describeRows('order:list', 'order:show'),
  'customer-search': describeRows('customer:search'),
  'customer-show': describeRows('customer:show'),
  'payment-list': describeRows('payment:list'),
  'payment-show': describeRows('payment:show'),
  'payment-reconcile': describeRows('payment:reconcile'),
  'run-list': describeRows('run:list', 'run:set', 'run:stop', 'run:resume'),
  'run-show': describeRows('run:show'),
  'run-verify': describeRows('run:verify'),
  status: describeRows('status'),
  'replay-plan': describeOther('A line of webhook replay --plan FILE'),
  'repair-plan': describeOther('A line of payment reconcile --plan FILE'),
  'run-report': describeOther('run export --format json', 'run:export'),
  'comparison-report': describeOther('payment reconcile --report FILE.json'),
  alert: describeOther('An alert: body of the request, or stdin of the command'),
  error: describeOther('A failure under -o json and -o ndjson, on stderr'),
} satisfies Readonly<Record<string, Promised>>

export type SchemaName = keyof typeof PROMISED
