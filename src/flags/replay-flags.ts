import * as Flags from '@oclif/core/flags'
import {eventFlags} from './event-flags.js'
import {ageFlag, limitFlag, type ParsedFlags, shareFlag} from './flag-kinds.js'

/** Flags that do not go with `--apply`: the plan has what they say. */
export const OF_THE_PLAN = [
  ...['status', 'type', 'since', 'until', 'max-age', 'check-state'],
  ...['include-unknown', 'include-unverified', 'include-out-of-order'],
  ...['include-resolved', 'include-delivered', 'afresh'],
]

/** Flags of `webhook replay`. */
export const replayFlags = {
  'dry-run': Flags.boolean({description: 'print what would be done, and send nothing'}),
  plan: Flags.string({description: 'write the plan to FILE for review, and send nothing', helpValue: 'FILE'}),
  force: Flags.boolean({description: 'replace the file of --plan', dependsOn: ['plan']}),
  apply: Flags.string({
    description: 'send exactly what a plan says; refused when anything in it is no longer so',
    helpValue: 'FILE',
    exclusive: ['plan', ...OF_THE_PLAN],
  }),
  ...eventFlags,
  rate: limitFlag({description: 'sends a second', default: 5}),
  concurrency: Flags.integer({description: 'transactions at once', default: 4, min: 1, max: 64}),
  max: limitFlag({description: 'refuse to begin when there is more to send', default: 200}),
  retries: Flags.integer({
    description: 'further attempts after a passing failure',
    default: 3,
    min: 0,
    max: 20,
  }),
  'max-age': ageFlag({
    description: 'hold events that are older',
    default: 259_200_000,
    defaultHelp: async () => '3d',
  }),
  canary: limitFlag({description: 'the first ones go alone, and all of them must go well', default: 5}),
  'breaker-failures': limitFlag({description: 'stop after so many failures in a row', default: 5}),
  'breaker-rate': shareFlag({
    description: 'stop when so many of the last 20 failed',
    default: 0.2,
    defaultHelp: async () => '20%',
  }),
  'check-state': Flags.boolean({
    description: "compare the payment's state before and after; --no-check-state needs no sign-in",
    default: true,
    allowNo: true,
  }),
  via: Flags.option({
    options: ['shop', 'provider'] as const,
    default: 'shop',
    description: 'who delivers: we do, to the shop, or the provider does, when it gets to it',
  })(),
  'provider-wait': ageFlag({
    description: 'how long the effect of what the provider delivers is waited for',
    default: 60_000,
    defaultHelp: async () => '60s',
  }),
  'include-unknown': Flags.boolean({
    description: 'also send events that may have been applied, where no state shows it',
  }),
  'include-unverified': Flags.boolean({
    description: 'also send events whose sender is not verified',
  }),
  'include-out-of-order': Flags.boolean({
    description: 'also send events that would move a payment backwards',
  }),
  'include-resolved': Flags.boolean({description: 'also what was dealt with by hand'}),
  'include-delivered': Flags.boolean({
    description: 'also what was delivered, after a shop was restored; given again, it carries on',
  }),
  afresh: Flags.boolean({
    description: 'with --include-delivered: also what the same command has sent again before',
    dependsOn: ['include-delivered'],
  }),
}

/** What they parse to; 0 turns a limit off. */
export type ReplayFlags = ParsedFlags<typeof replayFlags>
