import {RESULT_GROUPS} from '../runs/report/result-groups.js'
import {allow, maybe, type TypeOf} from './members.js'

const KINDS = ['replay', 'submit', 'repair', 'resolve', 'undo'] as const
const RUN_STATES = ['running', 'paused', 'unresponsive', 'completed', 'stopped', 'interrupted'] as const
const CLASSES = ['done', 'failed', 'unknown', 'later', 'held'] as const

const ofProcess = {
  who: allow.text('User name of the person on that machine'),
  host: allow.text('Host name'),
  pid: allow.count('Process id'),
  startedAt: allow.time('When it started'),
  heartbeatAt: allow.time('Time of its last heartbeat'),
}

const Worker = allow.object('A process that works on a run', {
  id: allow.text('Names its chain in the audit log; for the first process, the id of the run'),
  ...ofProcess,
  state: allow.word(
    ['working', 'unresponsive', 'left', 'gone'],
    'left: it stopped and returned its unstarted items; gone: another process declared it gone',
  ),
  heartbeatAgeSeconds: allow.count('Age of its last heartbeat, seconds'),
  counts: allow.counts('Items that it finished, by result'),
})

export const RecordedCause = allow.object('Events with the same cause', {
  cause: allow.text('The cause, as in webhook diagnose'),
  count: allow.count('Events'),
  amounts: allow.amounts('Sum of their amounts'),
  firstAt: allow.time('When the provider created the first one'),
  lastAt: allow.time('When it created the last one'),
})
export type RecordedCause = TypeOf<typeof RecordedCause>

/** Of runs and of watches. */
const ofListed = {
  id: allow.text('Id'),
  target: allow.text('The shop: its base URL, or "local"'),
  profile: allow.text('Name of the profile that chose the shop'),
  ...ofProcess,
  endedAt: maybe.time('When it ended; null if it has not'),
  reason: maybe.text('Its --reason; null if none'),
  counts: allow.counts('Items by result'),
  atWork: allow.count('Number of processes that work on it now'),
  stopReason: maybe.text('Why it stopped, in a sentence; null if nothing stopped it'),
  options: allow.anyObject('Its flags; the members are not promised'),
}

const runMembers = {
  ...ofListed,
  kind: allow.word(KINDS, 'What it does; resolve and undo send nothing'),
  state: allow.word(
    RUN_STATES,
    'unresponsive: its process sends no heartbeats; interrupted: its process ended without closing the run, and another one did',
  ),
  total: maybe.count('Number of items at the start; null if unknown'),
  stopCode: maybe.text('Error code of why it stopped; null if nothing stopped it'),
  continues: maybe.text('Id of the run that it continues; null if none'),
  watchId: maybe.text('Id of the watch that started it; null if a person did'),
  control: maybe.object('Settings from run set and run stop; null if there are none', {
    isPaused: allow.flag('Whether it starts no new items'),
    ratePerSecond: allow.null(
      allow.either([allow.count('Requests per second; 0: no limit'), allow.is('auto')]),
    ),
    concurrency: allow.null(
      allow.either([allow.count('Payments or orders in flight per worker'), allow.is('auto')]),
    ),
    askedBy: allow.text('Who set them last: "ada on desk"'),
    askedAt: allow.time('When they were set last'),
  }),
  flows: maybe.word(['run', 'skipped'], 'Whether the shop runs its flows; null if the run did not choose'),
  releasedHolds: maybe.text('Hold reasons that the replay passed over, separated by ", "; null if none'),
  causes: maybe.list(RecordedCause, 'Why its events had failed; null if not recorded'),
  workers: allow.list(Worker, 'Processes that work or worked on it, in order of arrival'),
}

export const ListedRun = allow.object('A run', runMembers)
export type ListedRun = TypeOf<typeof ListedRun>

export const ListedWatch = allow.object('A watch; its counts are the sums of its runs', {
  ...ofListed,
  kind: allow.is('watch'),
  state: allow.word(
    ['watching', 'away', 'paused', 'unresponsive', 'ended'],
    'away: the shop accepts no events; unresponsive: its process sends no heartbeats',
  ),
  total: maybe.count('Always null: a watch has no end'),
  runs: allow.count('Number of runs that it started'),
  runId: maybe.text('Id of the current run; null if none'),
  isPaused: allow.flag('Whether it starts no runs'),
  askedBy: maybe.text('Who changed it last: "ada on desk"; null if nobody did'),
  awaySince: maybe.time('Since when the shop accepts no events; null if it accepts them'),
  probe: maybe.object('Last check whether the shop accepts events; null before the first', {
    at: allow.time('When it was made'),
    isGood: allow.flag('Whether the shop accepts events'),
    answer: allow.text('Result in words: "answered 503"'),
  }),
  command: maybe.text('Command line; null if not recorded'),
})
export type ListedWatch = TypeOf<typeof ListedWatch>

export const RunGroupRow = allow.object('Runs counted by a common value (--group-by)', {
  key: allow.text('The common value; days are in UTC'),
  count: allow.count('Runs'),
  first: allow.time('When the first one started'),
  last: allow.time('When the last one started'),
  counts: allow.counts('Number of items by result'),
})
export type RunGroupRow = TypeOf<typeof RunGroupRow>

const Totals = allow.object('Number of items by result group', {
  failed: allow.count('Not applied'),
  unknown: allow.count('May have been applied; while the run works: in flight'),
  'not-sent': allow.count('The run ended before their turn'),
  held: allow.count('Held back by a rule'),
  sent: allow.count('Applied, or nothing to change'),
  skipped: allow.count('Did not need sending'),
})

const ofGroup = {
  group: allow.word(RESULT_GROUPS, 'Result group'),
  result: allow.text('The result'),
  reason: maybe.text('Why it was held or skipped: "out-of-order"; else null'),
}
const ofDetails = {
  type: maybe.text('Event type; null if unknown'),
  amount: maybe.money('Amount; null if unknown'),
}
const ofStates = {
  before: maybe.text('Payment state before; null if not read'),
  after: maybe.text('Payment state after; null if not read'),
}
const item = allow.text('Event id, order reference, or payment key')
const order = maybe.text('Order number in the shop; null if unknown')

export const ReportItem = allow.object('An item of a run', {
  at: maybe.time('When its result was stored; null if it has none'),
  ...ofGroup,
  item,
  ...ofDetails,
  transaction: maybe.text('Its payment: "id:…", "payment:…" or "order:…"; null if unknown'),
  order,
  status: maybe.count('HTTP status of the last response; null if there was none'),
  attempts: allow.count('How often it was sent'),
  detail: maybe.text('Explanation; null if there is none'),
  ...ofStates,
  id: maybe.text('Id in the shop of what was created; null if nothing was'),
  contentHash: maybe.text('SHA-256 of the sent content, lower-case hex; null if nothing was sent'),
})
export type ReportItem = TypeOf<typeof ReportItem>

export const PaymentTally = allow.object('A payment in the run', {
  transaction: allow.text('The payment: "id:…"'),
  order,
  ...ofStates,
  count: allow.count("Number of the run's events for this payment"),
  events: allow.rows('The first of these events', {...ofGroup, item, ...ofDetails}),
})
export type PaymentTally = TypeOf<typeof PaymentTally>

export const ResultTally = allow.object('Items with the same result', {
  ...ofGroup,
  count: allow.count('Items'),
  amounts: allow.amounts('Sum of their amounts'),
})
export type ResultTally = TypeOf<typeof ResultTally>

const verdict = allow.text('How the run went, in a sentence')
const payments = allow.list(PaymentTally, 'Effect on each payment, the first 200')
const amounts = allow.amounts('Sum of the amounts of all items')

/** What is too much to count of a run with more than 20,000 items. */
const MANY = 'null for more than 20,000 items: use run export'

export const RunOverview = allow.object('A run with its results', {
  ...runMembers,
  verdict,
  totals: Totals,
  amounts: maybe.amounts(`Sum of the amounts of its items; ${MANY}`),
  attention: maybe.list(ReportItem, `The first ten items that need attention; ${MANY}`),
  payments: maybe.list(PaymentTally, `Effect on each payment, the first 200; ${MANY}`),
  durationSeconds: allow.count('From start to end, or until now, seconds'),
  command: maybe.text('Command line; null if not recorded'),
})
export type RunOverview = TypeOf<typeof RunOverview>

export const RunResultRow = allow.object('The result of one item (--results)', {
  item,
  orderingKey: allow.text('Items with the same key are sent one at a time'),
  at: allow.time('When it was stored'),
  result: maybe.text('The result'),
  status: maybe.count('HTTP status of the last response; null if there was none'),
  detail: maybe.text('Explanation; null if there is none'),
  attempts: allow.count('How often it was sent'),
  contentHash: allow.text('SHA-256 of what was sent, lower-case hex'),
  facts: allow.null(allow.anyObject('Other recorded facts; its members are not promised')),
})
export type RunResultRow = TypeOf<typeof RunResultRow>

const allowEvidence = (about: string) => allow.optional(allow.list(allow.anyObject<object>('A row'), about))

export const VerifiedRow = allow.object('An audit log', {
  id: allow.text('Id of the run, or "ledger of runs"'),
  kind: allow.word([...KINDS, 'run', 'ledger'], 'run: only the ledger of runs knows it'),
  state: maybe.word(
    [...RUN_STATES, 'missing'],
    'missing: only the ledger of runs knows it; null for the ledger itself',
  ),
  auditLog: allow.word(
    ['verified', 'unclosed', 'broken'],
    'unclosed: its process ended without recording the end',
  ),
  records: allow.count('Number of entries, or of rows for the ledger of runs'),
  problem: maybe.text('What is wrong, in sentences; null if verified'),
  damage: allowEvidence('Entries that differ from what was written'),
  miscounted: allowEvidence('Counts that differ from the ledger of runs'),
  ends: allowEvidence('Last entry of each chain: worker, sequence and hash'),
  ledgerRows: allowEvidence('Its rows in the ledger of runs: number, kind, at and hash'),
  head: allow.optional(allow.anyObject<{number: number; hash: string}>('Last row of the ledger of runs')),
})
export type VerifiedRow = TypeOf<typeof VerifiedRow>

export const RunReport = allow.object('The report', {
  verdict,
  totals: Totals,
  amounts,
  results: allow.list(ResultTally, 'Items by result and reason, those that need attention first'),
  payments,
  run: ListedRun,
  timeline: allow.object('Timeline of the results', {
    from: allow.time('Start of the first step'),
    stepMs: allow.count('Length of a step, milliseconds'),
    results: allow.rows('Results that occurred', {
      name: allow.text('The result'),
      resultClass: allow.word(CLASSES, 'Class of the result'),
      count: allow.count('Number of items'),
    }),
    steps: allow.list(
      allow.list(allow.count('Results'), 'Counts, in the order of `results`'),
      'Steps of equal length, at most 80',
    ),
  }),
  items: allow.list(ReportItem, 'All items, failures first'),
  auditLog: VerifiedRow,
  writtenAt: allow.time('When the report was written'),
})
