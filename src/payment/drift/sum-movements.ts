import type {ProviderSums} from './drift.js'
import type {ProviderMovement} from './payment-facts.js'

/** Adds up what the provider has of a payment; one that is listed twice counts once. */
export function sumMovements(listed: readonly ProviderMovement[]): ProviderSums {
  const movements = [...new Map(listed.map(each => [each.id, each])).values()]
  const select = (kind: ProviderMovement['kind'], status: ProviderMovement['status']) =>
    movements.filter(each => each.kind === kind && each.status === status)
  const captures = select('capture', 'done')
  const refunds = select('refund', 'done')
  return {
    ...{captured: sumUnits(captures), refunded: sumUnits(refunds), captures},
    kept: computeKept(captures, refunds),
    pending: select('capture', 'pending'),
    hasDeclined: select('capture', 'declined').length + select('authorization', 'declined').length > 0,
    hasAuthorization: select('authorization', 'done').length > 0,
    currencies: new Set([...captures, ...refunds].map(({currency}) => currency)),
  }
}

/** A refund that names no capture is taken of the first ones that have something left. */
function computeKept(
  captures: readonly ProviderMovement[],
  refunds: readonly ProviderMovement[],
): readonly number[] {
  const left = new Map(captures.map(({id, units}) => [id, units]))
  const take = (id: string, units: number): number => {
    const has = left.get(id) ?? 0
    const taken = Math.min(has, units)
    if (taken > 0) left.set(id, has - taken)
    return units - taken
  }
  let rest = 0
  for (const {captureId, units} of refunds) rest += captureId === null ? units : take(captureId, units)
  for (const {id} of captures) rest = take(id, rest)
  return [...left.values()].filter(units => units > 0)
}

function sumUnits(movements: readonly ProviderMovement[]): number {
  return movements.reduce((sum, {units}) => sum + units, 0)
}
