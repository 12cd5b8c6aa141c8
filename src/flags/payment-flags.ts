import * as Flags from '@oclif/core/flags'
import {ageFlag, durationFlag, momentFlag, type ParsedFlags, salesChannelFlag} from './flag-kinds.js'

const SELECTION = {helpGroup: 'SELECTION'} as const

/** Which payments are meant. */
export const paymentFilterFlags = {
  since: momentFlag({description: 'Begun at or after this time (default: 7d)', ...SELECTION}),
  until: momentFlag({description: 'Begun at or before this time (default: now)', ...SELECTION}),
  'sales-channel': salesChannelFlag(),
  where: Flags.string({
    description: 'Only payments that meet this condition',
    helpValue: 'CONDITION',
    ...SELECTION,
  }),
}

function describeDefault(text: string): () => Promise<string> {
  return async () => text
}

export const reconcileFlags = {
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
}

export type PaymentFilterFlags = ParsedFlags<typeof paymentFilterFlags>
export type ReconcileFlags = ParsedFlags<typeof reconcileFlags>
