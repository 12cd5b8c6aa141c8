import {EventGroupRow} from './event-rows.js'
import {allow, maybe, type TypeOf} from './members.js'
import {ListedRun} from './run-rows.js'

const allowTally = (about: string) =>
  allow.object(about, {
    count: allow.count('Events'),
    oldestAt: maybe.time('When the provider created the oldest; null for none'),
    amounts: allow.amounts('What they are worth'),
  })

export const Service = allow.object('A process that works for days', {
  service: allow.word(['capture', 'watch'], 'What it does'),
  state: allow.word(
    ['running', 'watching', 'away', 'paused', 'unresponsive', 'ended'],
    'unresponsive: its heartbeats stopped without an end; the first four: at work',
  ),
  host: allow.text('Name of the machine'),
  pid: allow.count('Id of the process'),
  heartbeatAt: allow.time('Its last heartbeat'),
  lastCallAt: maybe.time('Last call of the provider, or to the shop; null before the first'),
  awaySince: maybe.time('Since when a watch waits for its shop; null where the shop takes events'),
})
export type Service = TypeOf<typeof Service>

export const CheckRow = allow.object('A finding', {
  check: allow.text('What was checked'),
  state: allow.word(['ok', 'warning', 'failed', 'skipped'], 'skipped: another failure was in the way'),
  found: allow.text('A sentence'),
  fix: allow.list(allow.text('A command or a thing to do'), 'Empty where nothing is wrong'),
})
export type CheckRow = TypeOf<typeof CheckRow>

const {id, kind, state, who, reason, startedAt, endedAt, counts} = ListedRun.properties
const RunBrief = allow.object('A run', {id, kind, state, who, reason, startedAt, endedAt, counts})
export type RunBrief = TypeOf<typeof RunBrief>

export const LastComparison = allow.object(
  'The last complete comparison of payments on this machine; null for none',
  {
    id: allow.text('Its id'),
    comparedAt: allow.time('When it was complete'),
    found: allow.count('Payments that differ'),
    kinds: allow.counts('Those by how they differ'),
    amounts: allow.amounts('What is to be paid of them'),
  },
)
export type LastComparison = TypeOf<typeof LastComparison>

export const ShopStatus = allow.object('How a shop is', {
  profile: allow.text('Name of the profile'),
  url: maybe.text('Base URL of the shop; null for the bundled shop while it does not run'),
  state: allow.word(
    ['ok', 'attention', 'no-answer'],
    'attention: something needs a person; no-answer: the shop does not answer',
  ),
  problems: allow.list(allow.text('A sentence'), 'What needs a person, the worst first'),
  fix: allow.list(allow.text('A command'), 'Commands that help'),
  waiting: allowTally('Pending events, and those that a capture forwards at this moment'),
  failed: allowTally('Failed events'),
  held: allowTally('Events that their newest run held'),
  inDoubt: allowTally('Events that may have been applied'),
  notStored: maybe.text('What a capture could not store, a sentence; null for nothing'),
  signIn: allow.object('The sign-in', {
    signedIn: allow.flag('Whether there are credentials'),
    expiresAt: maybe.time('When the stored token ends; null for none'),
    problem: maybe.text('Why the credentials cannot be read; null where they can'),
  }),
  checks: allow.list(CheckRow, 'What was asked of the shop'),
  services: allow.list(Service, 'Captures and watches: those at work, or else the last of each'),
  runs: allow.list(RunBrief, 'Runs under way, and the newest of each kind if it was interrupted'),
  comparison: allow.null(LastComparison),
  shift: allow.optional(
    allow.object('With --since: what happened since then', {
      since: allow.time('Its beginning'),
      hours: allow.list(EventGroupRow, 'Events by the hour'),
      causes: allow.list(EventGroupRow, 'Failed and unknown events by cause'),
      runs: allow.list(RunBrief, 'Runs that began or ended, or have not ended, the newest first'),
    }),
  ),
})
export type ShopStatus = TypeOf<typeof ShopStatus>

export const Alert = allow.object('One object', {
  id: allow.text('Of the incident; the same when it begins and when it is over'),
  kind: allow.word(
    ['shop-away', 'token-refused', 'breaker-open', 'events-held', 'untrusted-events', 'capture-degraded'],
    'What happened',
  ),
  state: allow.word(['open', 'over'], 'open: it began; over: it is over'),
  shop: allow.text('Base URL of the shop, or "local"'),
  profile: allow.text('Name of the profile'),
  since: allow.time('When it began'),
  until: maybe.time('When it was over; null while it lasts'),
  counts: allow.counts('Events by what they are counted by'),
  amounts: allow.amounts('What they are worth'),
  cause: allow.text('The first cause: a reason, or the answer of the other side; 200 characters at most'),
  command: allow.text('The command that helps'),
  text: allow.text('All of it in a sentence'),
})
export type Alert = TypeOf<typeof Alert>

export const ErrorLine = allow.object('One line on stderr', {
  error: allow.object('What went wrong', {
    code: allow.text('"usage.unknown_flag": the name of the exit code, then the error; branch on it'),
    message: allow.text('Sentences for people; its wording is not promised'),
    nextSteps: allow.list(allow.text('A command, or a thing to do'), 'The most useful first'),
    exit: allow.count('Exit code of the command: storectl help exit-codes'),
  }),
})
export type ErrorLine = TypeOf<typeof ErrorLine>
