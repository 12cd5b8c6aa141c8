import * as Flags from '@oclif/core/flags'
import {rewriteCommandLine} from './command-line.js'
import {eventFlags} from './event-flags.js'
import {
  ageFlag,
  concurrencyFlag,
  createAlertFlags,
  createGracePeriodFlag,
  createPlanFlags,
  limitFlag,
  type ParsedFlags,
  rateFlag,
  shareFlag,
} from './flag-kinds.js'
import {runFlags} from './global-flags.js'

/** Events older than this are held unless `--max-age` says otherwise, milliseconds: as long as the provider retries. */
export const USUAL_MAX_AGE_MS = 259_200_000

/** Flags that do not go with `--apply`: the plan has what they say. */
const OF_THE_PLAN = [
  ...['status', 'type', 'since', 'until', 'where', 'cause', 'max-age', 'check-state'],
  ...['include-unknown', 'include-unverified', 'include-wrong-token', 'include-out-of-order'],
  'include-amount-differs',
  ...['include-resolved', 'include-delivered', 'restart', 'skip-flows'],
]

/** Flags of `webhook replay`. */
export const replayFlags = {
  'dry-run': Flags.boolean({description: 'Show the plan, and send nothing', helpGroup: 'SAFETY'}),
  ...createPlanFlags(
    {
      plan: 'Write the plan to FILE for review, and send nothing',
      apply: 'Send the plan in FILE, if nothing has changed',
    },
    OF_THE_PLAN,
  ),
  watch: Flags.boolean({
    description: 'Send whenever the shop is up: help unattended',
    helpGroup: 'SAFETY',
  }),
  ...eventFlags,
  all: Flags.boolean({
    description: 'On a terminal: list all events, not only examples',
    helpGroup: 'OUTPUT',
  }),
  rate: rateFlag({
    description: 'Max requests per second',
    helpGroup: 'SPEED',
    default: 'auto',
  }),
  concurrency: concurrencyFlag({
    description: 'Max payments in flight, 1 to 64; auto: 4, up to 16 with --rate auto',
    helpGroup: 'SPEED',
    default: 'auto',
  }),
  max: limitFlag({
    description: 'Abort if more than N events would be sent',
    helpGroup: 'SAFETY',
    default: 200,
  }),
  retries: Flags.integer({
    description: 'Retries per event on transient errors',
    helpGroup: 'SPEED',
    default: 3,
    min: 0,
    max: 20,
  }),
  'max-age': ageFlag({
    description: 'Hold events older than this',
    helpGroup: 'SAFETY',
    default: USUAL_MAX_AGE_MS,
    defaultHelp: async () => '3d',
  }),
  canary: limitFlag({description: 'Send the first N, stop if any fails', helpGroup: 'SAFETY', default: 5}),
  'breaker-failures': limitFlag({
    description: 'Stop after N consecutive failures',
    helpGroup: 'SAFETY',
    default: 5,
  }),
  'breaker-rate': shareFlag({
    description: 'Stop if P% of the last 20 failed',
    helpGroup: 'SAFETY',
    default: 0.2,
    defaultHelp: async () => '20%',
  }),
  'grace-period': createGracePeriodFlag(),
  'check-state': Flags.boolean({
    description: "Compare the payment's state before and after",
    helpGroup: 'SAFETY',
    default: true,
    allowNo: true,
  }),
  'skip-flows': Flags.boolean({
    description: 'No flows, so no e-mails (from Shopware 6.6.7.1)',
    helpGroup: 'SAFETY',
  }),
  via: Flags.option({
    options: ['shop', 'provider'] as const,
    default: 'shop',
    description: 'Who sends the events',
    helpGroup: 'SPEED',
  })(),
  'provider-wait': ageFlag({
    description: 'Time to wait for the effect',
    helpGroup: 'SPEED',
    default: 60_000,
    defaultHelp: async () => '60s',
  }),
  offline: Flags.boolean({
    description: 'Do not ask the provider who sent an event',
    helpGroup: 'SAFETY',
  }),
  'include-unknown': Flags.boolean({
    description: 'Also send events with an unknown result',
    helpGroup: 'SELECTION',
  }),
  'include-unverified': Flags.boolean({
    description: 'Also send events whose sender is unverified',
    helpGroup: 'SELECTION',
  }),
  'include-wrong-token': Flags.boolean({
    description: 'Also send events that have another webhook token',
    helpGroup: 'SELECTION',
  }),
  'include-amount-differs': Flags.boolean({
    description: 'Also send final captures that differ in amount',
    helpGroup: 'SELECTION',
  }),
  'include-out-of-order': Flags.boolean({
    description: 'Also send events that move a payment backwards',
    helpGroup: 'SELECTION',
  }),
  'include-resolved': Flags.boolean({description: 'Also send resolved events', helpGroup: 'SELECTION'}),
  'include-delivered': Flags.boolean({
    description: 'Also send delivered events, for a restored shop',
    helpGroup: 'SELECTION',
  }),
  restart: Flags.boolean({
    description: 'Ignore progress of earlier runs',
    helpGroup: 'SELECTION',
    dependsOn: ['include-delivered'],
  }),
  ...createAlertFlags(['watch']),
}

/** What they parse to; 0 turns a limit off. */
export type ReplayFlags = ParsedFlags<typeof replayFlags>

/** Of `--watch`: what is older waits for a person, milliseconds. */
const WATCH_MAX_AGE_MS = 604_800_000

/** Flags with the defaults of `--watch` in place of the usual ones, where it is given. */
export function applyWatchDefaults<Flags extends Pick<ReplayFlags, 'watch' | 'max' | 'max-age'>>(
  flags: Flags,
  {flags: how}: {readonly flags: Readonly<Record<string, {readonly setFromDefault?: boolean} | undefined>>},
): Flags {
  if (!flags.watch) return flags
  const usual = (name: string, value: number) => (how[name]?.setFromDefault ? {[name]: value} : {})
  return {...flags, ...usual('max', 0), ...usual('max-age', WATCH_MAX_AGE_MS)}
}

/**
 * The command line that sends what a dry run has shown, quoted for a shell: that of a plan names its file.
 *
 * @param typed the words behind `webhook replay`
 * @param plan the file that the plan was saved to; `undefined` where it was not
 * @param set flags that it has besides, by name
 */
export function rewriteReplay(
  typed: readonly string[],
  plan: string | undefined,
  set: Readonly<Record<string, string>>,
): string {
  const flags = {...runFlags, ...replayFlags}
  const always = ['dry-run', 'plan', 'force']
  const change =
    plan === undefined
      ? {without: always, keepsArguments: true, set}
      : {without: [...always, ...OF_THE_PLAN], keepsArguments: false, set: {apply: plan, ...set}}
  return rewriteCommandLine('storectl webhook replay', typed, flags, change)
}

/** Fields of the rows of a replay, its dry run included. */
export const EVENT_RESULT_FIELDS = [
  ...[
    'id',
    'type',
    'createdAt',
    'transaction',
    'result',
    'detail',
    'status',
    'before',
    'after',
    'attempts',
    'orderNumber',
    'amount',
  ],
  ...[
    'durationMs',
    'run',
    'action',
    'reason',
    'state',
    'orderingKey',
    'sender',
    'shopVersion',
    'pluginVersion',
  ],
]
