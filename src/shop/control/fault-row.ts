import type {ActiveFault} from '../faults/active-faults.js'

/** A fault of a running server, as it goes over the wire and as commands print it. */
export type FaultRow = {
  readonly id: number
  /** As it was typed. */
  readonly rule: string
  /** Requests it was asked about. */
  readonly seen: number
  /** Requests it struck. */
  readonly struck: number
}

export const FAULT_VIEW = {
  noun: ['fault', 'faults'] as const,
  id: 'id',
  columns: [
    {path: 'id', kind: 'number'},
    {path: 'rule'},
    {path: 'seen', kind: 'number'},
    {path: 'struck', kind: 'number'},
  ],
} as const

export function faultRow({id, rule, seen, struck}: ActiveFault): FaultRow {
  return {id, rule: rule.text, seen, struck}
}
