import type {ProviderSums} from './drift.js'
import type {ProviderMovement} from './payment-facts.js'

/** Each movement once, by the last of its rows; the report has several with one id if a movement changed. */
export function listDistinctMovements<Row extends Pick<ProviderMovement, 'id' | 'kind' | 'status'>>(
  listed: readonly Row[],
): Row[] {
  return [...new Map(listed.map(each => [`${each.kind} ${each.status} ${each.id}`, each])).values()]
}

/**
 * Adds up the provider's movements of a payment; one that is listed twice counts once, and one that was held back and
 * has moved since does not count as held back.
 */
export function sumMovements(listed: readonly ProviderMovement[]): ProviderSums {
  const movements = listDistinctMovements(listed)
  const select = (kind: ProviderMovement['kind'], status: ProviderMovement['status']) =>
    movements.filter(each => each.kind === kind && each.status === status)
  const [declined, authorized] = [select('capture', 'declined'), select('authorization', 'declined')]
  const isOver = (ended: readonly ProviderMovement[]) => new Set(ended.map(({id}) => id))
  const captures = select('capture', 'done')
  const refunds = [...select('refund', 'done'), ...captures.flatMap(each => deriveRefund(each, movements))]
  const moved = isOver([...captures, ...declined])
  const voided = isOver(authorized)
  return {
    ...{captured: sumUnits(captures), refunded: sumUnits(refunds), captures},
    kept: computeKept(captures, refunds),
    pending: select('capture', 'pending').filter(({id}) => !moved.has(id)),
    hasDeclined: declined.length + authorized.length > 0,
    authorizations: select('authorization', 'done').filter(({id}) => !voided.has(id)),
    isDisputed: isDisputeOpen(movements),
    currencies: new Set([...captures, ...refunds].map(({currency}) => currency)),
  }
}

type Refund = Pick<ProviderMovement, 'captureId' | 'units' | 'currency'>

/** The refund of a capture that is marked as given back, if none is listed. */
function deriveRefund(
  {id, units, currency, reversed}: ProviderMovement,
  movements: readonly ProviderMovement[],
): Refund[] {
  const isOfIt = ({kind, captureId}: ProviderMovement) => kind === 'refund' && (captureId ?? id) === id
  return reversed !== 'all' || movements.some(isOfIt) ? [] : [{captureId: id, units, currency}]
}

/** Its last row decides. */
function isDisputeOpen(movements: readonly ProviderMovement[]): boolean {
  const rows = movements.filter(({kind}) => kind === 'dispute')
  const last = rows.reduce<ProviderMovement | undefined>(
    (one, other) => (one && one.at > other.at ? one : other),
    undefined,
  )
  return last?.status === 'pending'
}

/** A refund that names no capture is deducted from the first ones that have something left. */
function computeKept(captures: readonly ProviderMovement[], refunds: readonly Refund[]): readonly number[] {
  const left = new Map(captures.map(({id, units}) => [id, units]))
  const take = (id: string, units: number): number => {
    const has = left.get(id) ?? 0
    const taken = Math.min(has, units)
    left.set(id, has - taken)
    return units - taken
  }
  let rest = 0
  for (const {captureId, units} of refunds) rest += captureId === null ? units : take(captureId, units)
  for (const {id} of captures) rest = take(id, rest)
  return [...left.values()].filter(units => units > 0)
}

function sumUnits(movements: readonly Pick<ProviderMovement, 'units'>[]): number {
  return movements.reduce((sum, {units}) => sum + units, 0)
}
