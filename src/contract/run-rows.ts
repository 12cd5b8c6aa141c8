import {RESULT_GROUPS} from '../runs/report/result-groups.js'
import {allow, maybe, type TypeOf} from './members.js'

const KINDS = ['replay', 'submit', 'repair', 'resolve', 'undo'] as const
const RUN_STATES = ['running', 'paused', 'unresponsive', 'completed', 'stopped', 'interrupted'] as const
const CLASSES = ['done', 'failed', 'unknown', 'later', 'held'] as const

const ofProcess = {
  who: allow.text('The person, as the machine knows them'),
  host: allow.text('Name of the machine'),
  pid: allow.count('Id of the process'),
  startedAt: allow.time('When it began'),
  heartbeatAt: allow.time('When it was last heard of'),
}

const Worker = allow.object('A process that works on a run', {
  id: allow.text('Names its chain in the audit log; that of the first is the id of the run'),
  ...ofProcess,
  state: allow.word(
    ['working', 'unresponsive', 'left', 'gone'],
    'left: it gave back what it had not begun; gone: it was declared gone',
  ),
  heartbeatAgeSeconds: allow.count('How long ago its last heartbeat was, seconds'),
  counts: allow.counts('What it has ended, by result'),
})

export const RecordedCause = allow.object('Events of one cause', {
  cause: allow.text('As webhook diagnose names it'),
  count: allow.count('Events'),
  amounts: allow.amounts('What they are worth'),
  firstAt: allow.time('When the provider created the first of them'),
  lastAt: allow.time('When it created the last of them'),
})
export type RecordedCause = TypeOf<typeof RecordedCause>

/** Of runs and of watches. */
const ofListed = {
  id: allow.text('Its id'),
  target: allow.text('The shop that it writes to: its base URL, or "local"'),
  profile: allow.text('The profile that chose it'),
  ...ofProcess,
  endedAt: maybe.time('When it ended; null while it has not'),
  reason: maybe.text('The --reason that was given; null for none'),
  counts: allow.counts('Items by result'),
  atWork: allow.count('Processes at work on it'),
  stopReason: maybe.text('What stopped it, a sentence; null where nothing did'),
  options: allow.anyObject('As it was asked for; its members are not promised'),
}

const runMembers = {
  ...ofListed,
  kind: allow.word(KINDS, 'What it does; resolve and undo send nothing'),
  state: allow.word(
    RUN_STATES,
    'unresponsive: its process sends no heartbeats; interrupted: its process was gone, and another took over',
  ),
  total: maybe.count('Items that it set out with; null where that was not known'),
  stopCode: maybe.text('Code of what stopped it, as in an error line; null where nothing did'),
  continues: maybe.text('Id of the run that it continues; null for none'),
  watchId: maybe.text('Id of the watch that began it; null where a person did'),
  control: maybe.object('What run set and run stop asked for; null where nobody did', {
    isPaused: allow.flag('Whether nothing new is started'),
    ratePerSecond: allow.null(
      allow.either([allow.count('Requests per second, 0 for no limit'), allow.is('auto')]),
    ),
    concurrency: allow.null(
      allow.either([allow.count('Payments or orders in flight of each worker'), allow.is('auto')]),
    ),
    askedBy: allow.text('Who asked last: "ada on desk"'),
    askedAt: allow.time('When that was'),
  }),
  flows: maybe.word(['run', 'skipped'], 'Whether the shop runs its flows; null where the run does not say'),
  releasedHolds: maybe.text(
    'Reasons for which a replay held nothing, with a comma and a blank between; null for none',
  ),
  causes: maybe.list(RecordedCause, 'Why its events had failed; null where that was not recorded'),
  workers: allow.list(Worker, 'Processes that work or worked on it, the first to come first'),
}

export const ListedRun = allow.object('A run', runMembers)
export type ListedRun = TypeOf<typeof ListedRun>

export const ListedWatch = allow.object('A watch; its counts are those of its runs together', {
  ...ofListed,
  kind: allow.is('watch'),
  state: allow.word(
    ['watching', 'away', 'paused', 'unresponsive', 'ended'],
    'away: the shop takes no events; unresponsive: its process sends no heartbeats',
  ),
  total: maybe.count('Always null: a watch has no end'),
  runs: allow.count('Runs that it began'),
  runId: maybe.text('The run at work; null for none'),
  isPaused: allow.flag('Whether it begins no run'),
  askedBy: maybe.text('Who changed it last: "ada on desk"; null where nobody did'),
  awaySince: maybe.time('Since when the shop takes no events; null where it takes them'),
  probe: maybe.object('The last call that asked whether the shop takes events; null before the first', {
    at: allow.time('When it was'),
    isGood: allow.flag('Whether the shop takes events'),
    answer: allow.text('What it answered: "answered 503"'),
  }),
  command: maybe.text('The command as it was typed; null where it was not recorded'),
})
export type ListedWatch = TypeOf<typeof ListedWatch>

export const RunGroupRow = allow.object('Runs counted by what they have in common (--group-by)', {
  key: allow.text('What the runs have in common; a day is one of UTC'),
  count: allow.count('Runs'),
  first: allow.time('When the first of them began'),
  last: allow.time('When the last of them began'),
  counts: allow.counts('Their items by result'),
})
export type RunGroupRow = TypeOf<typeof RunGroupRow>

const Totals = allow.object('Items by what their results mean', {
  failed: allow.count('Not applied'),
  unknown: allow.count('May have been applied; in flight while the run is under way'),
  'not-sent': allow.count('The run did not come to them'),
  held: allow.count('Not sent by decision'),
  sent: allow.count('Applied, or nothing to change'),
  skipped: allow.count('Needed no sending'),
})

const ofGroup = {
  group: allow.word(RESULT_GROUPS, 'What the result means'),
  result: allow.text('The result'),
  reason: maybe.text('Why it was held or skipped: "out-of-order"; null elsewhere'),
}
const ofDetails = {
  type: maybe.text('Type of the event; null where it is not known'),
  amount: maybe.money('What it is worth; null where it is not known'),
}
const ofStates = {
  before: maybe.text("The payment's state before; null where it was not read"),
  after: maybe.text('Its state afterwards; null where it was not read'),
}
const item = allow.text('Id of the event, reference of the order, or key of the payment')
const order = maybe.text("Number of the shop's order; null where it is not known")

export const ReportItem = allow.object('An item of a run', {
  at: maybe.time('When its result was stored; null where it has none'),
  ...ofGroup,
  item,
  ...ofDetails,
  transaction: maybe.text(
    'What names its payment: "id:…", "payment:…", "order:…"; null where it is not known',
  ),
  order,
  status: maybe.count('HTTP status of the last response; null where nothing answered'),
  attempts: allow.count('How often it was sent'),
  detail: maybe.text('A sentence; null where there is nothing to add'),
  ...ofStates,
  id: maybe.text("The shop's id of what was created; null where nothing was"),
  contentHash: maybe.text('SHA-256 of what was sent, lower-case hex; null where nothing was'),
})
export type ReportItem = TypeOf<typeof ReportItem>

export const PaymentTally = allow.object('A payment', {
  transaction: allow.text('What names the payment: "id:…"'),
  order,
  ...ofStates,
  count: allow.count('Events of the run about it'),
  events: allow.rows('The first of them', {...ofGroup, item, ...ofDetails}),
})
export type PaymentTally = TypeOf<typeof PaymentTally>

export const ResultTally = allow.object('Items of one result', {
  ...ofGroup,
  count: allow.count('Items'),
  amounts: allow.amounts('What they are worth'),
})
export type ResultTally = TypeOf<typeof ResultTally>

const verdict = allow.text('How it went, a sentence')
const payments = allow.list(PaymentTally, 'What it did to each payment, the first 200')
const amounts = allow.amounts('What all its items are worth')

/** What is too much to count of a run with more than 20,000 items. */
const MANY = 'null for a run of more than 20,000 items: see run export'

export const RunOverview = allow.object('A run with what it came to', {
  ...runMembers,
  verdict,
  totals: Totals,
  amounts: maybe.amounts(`What its items are worth; ${MANY}`),
  attention: maybe.list(ReportItem, `The first ten items that need attention; ${MANY}`),
  payments: maybe.list(PaymentTally, `What it did to each payment, the first 200; ${MANY}`),
  durationSeconds: allow.count('From its beginning to its end, or up to now, seconds'),
  command: maybe.text('The command as it was typed; null where it was not recorded'),
})
export type RunOverview = TypeOf<typeof RunOverview>

export const RunResultRow = allow.object('The result of one item (--results)', {
  item,
  orderingKey: allow.text('Items with the same one go one at a time'),
  at: allow.time('When it was stored'),
  result: maybe.text('The result'),
  status: maybe.count('HTTP status of the last response; null where nothing answered'),
  detail: maybe.text('A sentence; null where there is nothing to add'),
  attempts: allow.count('How often it was sent'),
  contentHash: allow.text('SHA-256 of what was sent, lower-case hex'),
  facts: allow.null(allow.anyObject('What else was recorded; its members are not promised')),
})
export type RunResultRow = TypeOf<typeof RunResultRow>

const allowEvidence = (about: string) => allow.optional(allow.list(allow.anyObject<object>('A row'), about))

export const VerifiedRow = allow.object('An audit log', {
  id: allow.text('Id of the run, or "ledger of runs"'),
  kind: allow.word([...KINDS, 'run', 'ledger'], 'run: one that the ledger of runs alone knows'),
  state: maybe.word(
    [...RUN_STATES, 'missing'],
    'missing: the ledger of runs alone knows it; null of the ledger',
  ),
  auditLog: allow.word(
    ['verified', 'unclosed', 'broken'],
    'unclosed: its process is gone, and nobody has noted its end',
  ),
  records: allow.count('Entries of its audit log, or rows of the ledger of runs'),
  problem: maybe.text('Sentences; null where it is verified'),
  damage: allowEvidence('Entries that are not as they were written'),
  miscounted: allowEvidence('Counts that differ from the ledger of runs'),
  ends: allowEvidence('The last entry of each chain: worker, sequence and hash'),
  ledgerRows: allowEvidence('Rows of the ledger of runs about it: number, kind, at and hash'),
  head: allow.optional(allow.anyObject<{number: number; hash: string}>('The last row of the ledger of runs')),
})
export type VerifiedRow = TypeOf<typeof VerifiedRow>

export const RunReport = allow.object('One object', {
  verdict,
  totals: Totals,
  amounts,
  results: allow.list(ResultTally, 'Items by result and reason, what needs attention first'),
  payments,
  run: ListedRun,
  timeline: allow.object('When its results came', {
    from: allow.time('Beginning of the first step'),
    stepMs: allow.count('Length of a step, milliseconds'),
    results: allow.rows('Results of the run', {
      name: allow.text('The result'),
      resultClass: allow.word(CLASSES, 'What it means to the run'),
      count: allow.count('How many there are'),
    }),
    steps: allow.list(
      allow.list(allow.count('Results'), 'For each of results, how many there are'),
      'Steps of equal length, at most 80',
    ),
  }),
  items: allow.list(ReportItem, 'All of them, failures first'),
  auditLog: VerifiedRow,
  writtenAt: allow.time('When the report was written'),
})
