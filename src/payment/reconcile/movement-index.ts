import type {ProviderMovement, ShopPayment} from '../drift/payment-facts.js'
import type {MovementKeys} from './comparison.js'

/** The keys of the movements of these payments. */
export function listKeys(payments: readonly ShopPayment[]): MovementKeys {
  const attempts = payments.flatMap(({live, earlier}) => [live, ...earlier])
  return {
    transactionIds: attempts.map(({id}) => id),
    orderIds: attempts.flatMap(({providerOrderId}) => providerOrderId ?? []),
  }
}

/** Some movements, by key. */
export class MovementIndex {
  readonly #byKey = new Map<string, ProviderMovement[]>()
  readonly #left: Set<ProviderMovement>

  constructor(private readonly movements: readonly ProviderMovement[]) {
    this.#left = new Set(movements)
    for (const movement of movements) {
      const {transactionId, orderId, captureId} = movement
      for (const key of [transactionId, orderId, captureId]) {
        if (key === null) continue
        const known = this.#byKey.get(key)
        if (known) known.push(movement)
        else this.#byKey.set(key, [movement])
      }
    }
  }

  /** Movements of a payment, and the refunds of its captures, each once. */
  find(payment: ShopPayment): ProviderMovement[] {
    const {transactionIds, orderIds} = listKeys([payment])
    const named = [...transactionIds, ...orderIds].flatMap(key => this.#byKey.get(key) ?? [])
    const refunds = named.flatMap(({id}) => this.#byKey.get(id) ?? [])
    return [...new Set([...named, ...refunds])]
  }

  /** The same; `listRest` leaves them out. */
  take(payment: ShopPayment): ProviderMovement[] {
    const found = this.find(payment)
    for (const movement of found) this.#left.delete(movement)
    return found
  }

  listTransactionIds(): string[] {
    return listDistinct(this.movements.map(({transactionId}) => transactionId))
  }

  listOrderIds(): string[] {
    return listDistinct(this.movements.map(({orderId}) => orderId))
  }

  /** The remaining movements, one payment after the other. */
  listRest(): ProviderMovement[][] {
    const groups = new Map<string, ProviderMovement[]>()
    for (const movement of this.#left) {
      const {transactionId, orderId, captureId, id} = movement
      const key = transactionId ?? orderId ?? captureId ?? id
      const group = groups.get(key)
      if (group) group.push(movement)
      else groups.set(key, [movement])
    }
    return [...groups.values()]
  }
}

function listDistinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter(value => value !== null)
}
