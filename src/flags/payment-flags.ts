import * as Flags from '@oclif/core/flags'
import {rewriteCommandLine} from './command-line.js'
import {
  ageFlag,
  createGracePeriodFlag,
  createPlanFlags,
  durationFlag,
  limitFlag,
  momentFlag,
  type ParsedFlags,
  rateFlag,
  salesChannelFlag,
} from './flag-kinds.js'
import {runFlags} from './global-flags.js'
import {whereFlag} from './list-flags.js'

const SELECTION = {helpGroup: 'SELECTION'} as const

/** Which payments are meant. */
export const paymentFilterFlags = {
  since: momentFlag({description: 'Begun at or after this time (default: 7d)', ...SELECTION}),
  until: momentFlag({description: 'Begun at or before this time (default: now)', ...SELECTION}),
  'sales-channel': salesChannelFlag(),
  where: whereFlag(),
}

function describeDefault(text: string): () => Promise<string> {
  return async () => text
}

/** Flags that choose payments: a plan or a stored comparison says which it is about. */
const OF_THE_PLAN = [...Object.keys(paymentFilterFlags), 'min-age']

/** Flags from when on a difference counts. */
const LIMITS = ['pending-after', 'expiring-within', 'owed-after']

const repairFlags = {
  ...createPlanFlags(
    {
      plan: 'Write how each payment would be repaired to FILE, and change nothing',
      apply: 'Repair the payments of the plan in FILE that still differ',
    },
    ['resume', 'skip-flows', ...OF_THE_PLAN],
  ),
  force: Flags.boolean({
    description: 'Overwrite the files of --plan and --report',
    helpGroup: 'SAFETY',
    exclusive: ['apply'],
  }),
  report: Flags.string({
    description: 'Write a report to FILE: .html, .md, .csv or .json',
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
    exclusive: ['apply'],
  }),
  resume: Flags.string({
    description: 'Continue an interrupted comparison: last, its id, or a unique prefix',
    helpGroup: 'COMPARISON',
    helpValue: 'ID',
    exclusive: [...OF_THE_PLAN, ...LIMITS],
  }),
  'allow-backwards': Flags.boolean({
    description: 'Also repair what moves money back in the shop; asks for the name of the profile',
    helpGroup: 'SAFETY',
    dependsOn: ['apply'],
  }),
  'skip-flows': Flags.boolean({
    helpGroup: 'SAFETY',
    description:
      "Plan repairs that leave the shop's flows out: no e-mails to customers (from Shopware 6.6.7.1)",
    dependsOn: ['plan'],
  }),
  'grace-period': createGracePeriodFlag(),
  max: limitFlag({
    description: 'Abort if more than N payments would be repaired',
    helpGroup: 'SAFETY',
    default: 200,
  }),
  rate: rateFlag({
    description: 'Max repairs per second; auto adapts to the shop',
    helpGroup: 'SPEED',
    default: 'auto',
  }),
}

export const reconcileFlags = {
  ...repairFlags,
  ...paymentFilterFlags,
  'min-age': ageFlag({
    description: 'Look up younger payments one by one, as the report of the provider lags',
    default: 6 * 3_600_000,
    defaultHelp: describeDefault('6h'),
    helpValue: '6h|none',
    helpGroup: 'COMPARISON',
  }),
  'pending-after': durationFlag({
    description: 'Report payments that the provider holds back for longer',
    default: 24 * 3_600_000,
    defaultHelp: describeDefault('24h'),
    helpValue: '24h',
    helpGroup: 'COMPARISON',
  }),
  'expiring-within': durationFlag({
    description: 'Report authorizations that end within this time',
    default: 72 * 3_600_000,
    defaultHelp: describeDefault('3d'),
    helpValue: '3d',
    helpGroup: 'COMPARISON',
  }),
  'owed-after': durationFlag({
    description: 'Report money that is kept for longer after its order was cancelled or returned',
    default: 72 * 3_600_000,
    defaultHelp: describeDefault('3d'),
    helpValue: '3d',
    helpGroup: 'COMPARISON',
  }),
}

export type PaymentFilterFlags = ParsedFlags<typeof paymentFilterFlags>
export type ReconcileFlags = ParsedFlags<typeof reconcileFlags>

/** The command that goes on with a comparison. @param argv the words behind `payment reconcile`, as they were typed */
export function writeResumeCommand(argv: readonly string[], id: string): string {
  const change = {without: [...OF_THE_PLAN, ...LIMITS], keepsArguments: false, set: {resume: id}}
  return rewriteCommandLine('storectl payment reconcile', argv, {...runFlags, ...reconcileFlags}, change)
}

/** Fields of the rows of a run of repairs. */
export const REPAIR_RESULT_FIELDS = [
  ...[
    'transaction',
    'orderNumber',
    'kind',
    'amount',
    'repair',
    'result',
    'detail',
    'status',
    'before',
    'after',
  ],
  ...['attempts', 'run'],
]
