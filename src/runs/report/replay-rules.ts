import type {RecordedCause} from '../../contract/run-rows.js'
import type {RunRow} from '../journal/run-store.js'

/** Whether the shop runs its flows for a replay's changes; `null` if the run does not say. */
export function describeFlows({options}: RunRow['options']): 'run' | 'skipped' | null {
  const {skipFlows} = (options ?? {}) as {skipFlows?: unknown}
  if (typeof skipFlows !== 'boolean') return null
  return skipFlows ? 'skipped' : 'run'
}

/** Reasons of holds, by the option of a replay that releases them. */
const RELEASES: Readonly<Record<string, string>> = {
  ...{includeUnverified: 'unverified', includeWrongToken: 'wrong-token'},
  ...{
    includeAmountDiffers: 'amount-differs',
    includeOutOfOrder: 'out-of-order',
    includeUnknown: 'unknown-result',
  },
}

/** Reasons of holds that a replay released; `null` for none. */
export function describeReleased({options}: RunRow['options']): string | null {
  const rules = (options ?? {}) as Record<string, unknown>
  const names = Object.keys(RELEASES).filter(name => rules[name] === true)
  return names.map(name => RELEASES[name]).join(', ') || null
}

/** The causes, the most frequent first; `null` if none were recorded, as in older runs. */
export function readCauses({causes}: RunRow['options']): readonly RecordedCause[] | null {
  return Array.isArray(causes) ? causes : null
}
