import {EventGroupRow} from './event-rows.js'
import {allow, maybe, type TypeOf} from './members.js'
import {ListedRun} from './run-rows.js'

const allowTally = (about: string) =>
  allow.object(about, {
    count: allow.count('Events'),
    oldestAt: maybe.time('When the provider created the oldest one; null if there is none'),
    amounts: allow.amounts('Sum of their amounts'),
  })

export const Service = allow.object('A long-running process', {
  service: allow.word(['capture', 'watch'], 'The kind of process'),
  state: allow.word(
    ['running', 'watching', 'away', 'paused', 'unresponsive', 'ended'],
    'running, watching, away, paused: it is alive; unresponsive: its heartbeats stopped; ended: it ended properly',
  ),
  host: allow.text('Host name'),
  pid: allow.count('Process id'),
  heartbeatAt: allow.time('Time of its last heartbeat'),
  lastCallAt: maybe.time('Last call from the provider, or to the shop; null before the first'),
  awaySince: maybe.time('Since when a watch waits for its shop; null if the shop accepts events'),
})
export type Service = TypeOf<typeof Service>

export const CheckRow = allow.object('Result of a check', {
  check: allow.text('What was checked'),
  state: allow.word(['ok', 'warning', 'failed', 'skipped'], 'skipped: an earlier failure prevented it'),
  found: allow.text('A sentence'),
  fix: allow.list(allow.text('A command, or something to do'), 'Empty if nothing is wrong'),
})
export type CheckRow = TypeOf<typeof CheckRow>

const {id, kind, state, who, reason, startedAt, endedAt, counts} = ListedRun.properties
const RunBrief = allow.object('A run', {id, kind, state, who, reason, startedAt, endedAt, counts})
export type RunBrief = TypeOf<typeof RunBrief>

export const LastComparison = allow.object(
  'Last complete comparison of payments on this machine; null if there is none',
  {
    id: allow.text('Id'),
    comparedAt: allow.time('When it was complete'),
    found: allow.count('Payments that differ'),
    kinds: allow.counts('Number of these payments by kind of difference'),
    amounts: allow.amounts('Sum of their amounts due'),
  },
)
export type LastComparison = TypeOf<typeof LastComparison>

export const ShopStatus = allow.object('Status of a shop', {
  profile: allow.text('Profile name'),
  url: maybe.text('Base URL of the shop; null if it is the bundled shop and not running'),
  state: allow.word(
    ['ok', 'attention', 'no-answer'],
    'attention: a person is needed; no-answer: the shop does not respond',
  ),
  problems: allow.list(allow.text('A sentence'), 'What needs a person, worst first'),
  fix: allow.list(allow.text('A command'), 'Commands that help'),
  waiting: allowTally('Pending events, including those that a capture is forwarding now'),
  failed: allowTally('Failed events'),
  held: allowTally('Events that their latest run held'),
  inDoubt: allowTally('Events that may have been applied'),
  notStored: maybe.text('What a capture could not store, in a sentence; null if it stored all'),
  signIn: allow.object('The sign-in', {
    signedIn: allow.flag('Whether there are credentials'),
    expiresAt: maybe.time('When the stored token expires; null if there is none'),
    problem: maybe.text('Why the credentials cannot be read; null if they can'),
  }),
  checks: allow.list(CheckRow, 'Checks of the shop'),
  services: allow.list(Service, 'Captures and watches: those that are alive, else the last of each'),
  runs: allow.list(RunBrief, 'Current runs, and the latest of each kind if it was interrupted'),
  comparison: allow.null(LastComparison),
  shift: allow.optional(
    allow.object('With --since: what happened after that time', {
      since: allow.time('The time given'),
      hours: allow.list(EventGroupRow, 'Events by hour'),
      causes: allow.list(EventGroupRow, 'Failed and unknown events by cause'),
      runs: allow.list(RunBrief, 'Runs that started or ended since then, or still work, newest first'),
    }),
  ),
})
export type ShopStatus = TypeOf<typeof ShopStatus>

export const Alert = allow.object('An alert', {
  id: allow.text('Incident id, the same in its "open" and its "over" alert'),
  kind: allow.word(
    ['shop-away', 'token-refused', 'breaker-open', 'events-held', 'untrusted-events', 'capture-degraded'],
    'What happened',
  ),
  state: allow.word(['open', 'over'], 'open: the incident began; over: it ended'),
  shop: allow.text('Base URL of the shop, or "local"'),
  profile: allow.text('Profile name'),
  since: allow.time('When it began'),
  until: maybe.time('When it ended; null if it has not'),
  counts: allow.counts('Number of events; the names depend on the kind of alert'),
  amounts: allow.amounts('Sum of their amounts'),
  cause: allow.text('First cause: a reason, or the response of the other side; at most 200 characters'),
  command: allow.text('Command to run next'),
  text: allow.text('The alert in a sentence'),
})
export type Alert = TypeOf<typeof Alert>

export const ErrorLine = allow.object('One line on stderr', {
  error: allow.object('What went wrong', {
    code: allow.text('Name of the exit code, then the error: "usage.unknown_flag"; branch on this'),
    message: allow.text('Explanation for people; its wording is not promised'),
    nextSteps: allow.list(allow.text('A command, or something to do'), 'Most useful first'),
    exit: allow.count('Exit code of the command: storectl help exit-codes'),
  }),
})
export type ErrorLine = TypeOf<typeof ErrorLine>
