import type {RunKind} from '../../runs/journal/run-store.js'

/** Repairs and replays of a shop share one lease: both change its payments. */
export function chooseLeaseKind(kind: RunKind): RunKind {
  return kind === 'repair' ? 'replay' : kind
}
