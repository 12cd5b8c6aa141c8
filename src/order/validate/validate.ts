import {escapeControls} from '../../output/escape-controls.js'
import type {View} from '../../output/view.js'
import type {Clock} from '../../platform/clock.js'
import type {OrderSource} from '../draft/read-options.js'
import {type CheckDeps, type Checked, check, formatFaultLine, type InputFault} from './check-orders.js'

/** How faults are shown. */
export const FAULTS: View = {
  noun: ['fault', 'faults'],
  columns: [
    {path: 'file'},
    {path: 'line', kind: 'number'},
    {path: 'column', kind: 'number'},
    {path: 'field'},
    {path: 'message'},
    {path: 'got'},
  ],
  id: 'line',
}

/** A fault as it is printed. */
export interface OrderFaultRow extends Omit<InputFault, 'got'> {
  /** `null` for no value. */
  readonly got: unknown
  readonly [key: string]: unknown
}

export interface Validated {
  /** In the order of the input, up to the requested number. */
  readonly rows: readonly OrderFaultRow[]
  /** The same as text: `orders.csv:3:12 shipTo.country: must be … (got "Germany")`. */
  readonly lines: readonly string[]
  readonly orders: number
  /** How many there are in all. */
  readonly faultCount: number
  readonly warnings: readonly string[]
}

export interface ValidateDeps extends Pick<CheckDeps, 'openScratch'> {
  readonly source: OrderSource
  readonly clock: Clock
  readonly stopping: AbortSignal
}

/**
 * Everything that is wrong with the inputs; nothing is sent.
 *
 * @param mostFaults most errors described; all are counted
 * @throws StorectlError as `check` does
 */
export async function validate(
  {source, clock, openScratch, stopping}: ValidateDeps,
  mostFaults: number,
): Promise<Validated> {
  const deps = {now: clock.now(), openScratch, mostFaults, signal: stopping}
  const {faults, ...counts}: Checked = await check(source, deps)
  return {
    ...counts,
    rows: faults.map(fault => ({...fault, got: fault.got ?? null})),
    lines: faults.map(formatFaultLine),
  }
}

/** The errors for people and editors, one per line, without terminal sequences. */
export function formatFaults(lines: readonly string[]): string {
  return lines.map(line => `${escapeControls(line)}\n`).join('')
}

/** The text below the errors. */
export function formatValidationSummary(
  name: string,
  {orders, faultCount, rows}: Omit<Validated, 'lines' | 'warnings'>,
): string {
  const among = `${orders} ${orders === 1 ? 'order' : 'orders'}`
  if (faultCount === 0) return orders === 0 ? `${name}: no orders` : `${name}: ${among}, no errors`
  const hidden = faultCount > rows.length ? `, ${rows.length} of them shown` : ''
  return `${name}: ${faultCount} ${faultCount === 1 ? 'error' : 'errors'} in ${among}${hidden}`
}
