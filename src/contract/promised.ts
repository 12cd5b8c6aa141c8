/** What the JSON of some commands and files is: what later versions keep. */
interface Promised {
  /** What one document of the schema is. */
  readonly about: string
  /** Commands whose `-o json` and `-o ndjson` print it, by their ids; none for files and lines of stderr. */
  readonly commands: readonly string[]
}

const describeRows = (...commands: string[]): Promised => ({
  about: describeCommands('A row of', commands),
  commands,
})
const describeRecord = (...commands: string[]): Promised => ({
  about: describeCommands('What is printed by', commands),
  commands,
})
const describeFile = (about: string): Promised => ({about, commands: []})

function describeCommands(what: string, commands: readonly string[]): string {
  return `${what} ${commands.map(id => id.replaceAll(':', ' ')).join(' and ')}`
}

/** JSON that is promised, by the names of its schemas. A row is an element of the list of `-o json`, and a line of `-o ndjson`. */
export const PROMISED = {
  'webhook-list': describeRows('webhook:list'),
  'webhook-show': describeRows('webhook:show'),
  'webhook-diagnose': describeRows('webhook:diagnose'),
  'webhook-replay': describeRows('webhook:replay'),
  'webhook-resolve': describeRows('webhook:resolve'),
  'order-submit': describeRows('order:submit'),
  'order-list': describeRows('order:list', 'order:show'),
  'customer-search': describeRows('customer:search'),
  'customer-show': describeRecord('customer:show'),
  'payment-list': describeRows('payment:list'),
  'payment-show': describeRecord('payment:show'),
  'payment-reconcile': describeRows('payment:reconcile'),
  'run-list': describeRows('run:list', 'run:set', 'run:stop'),
  'run-show': describeRows('run:show'),
  'run-verify': describeRows('run:verify'),
  status: describeRows('status'),
  'replay-plan': describeFile('A line of the file of webhook replay --plan'),
  'repair-plan': describeFile('A line of the file of payment reconcile --plan'),
  'run-report': {about: 'The report of run export --format json', commands: ['run:export']},
  'comparison-report': describeFile('The report of payment reconcile --report FILE.json'),
  alert: describeFile('The body of an alert, or its line on stdin of a command'),
  error: describeFile('The line on stderr of a command that fails with -o json or -o ndjson'),
} as const satisfies Readonly<Record<string, Promised>>

export type SchemaName = keyof typeof PROMISED
