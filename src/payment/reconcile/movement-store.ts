import type {ProviderMovement} from '../drift/payment-facts.js'

/** What names the movements of some payments. */
export interface MovementKeys {
  readonly transactionIds: readonly string[]
  readonly orderIds: readonly string[]
}

/** The provider's movements during one reconciliation. Memory does not grow with their number. */
export interface MovementStore {
  /** One that is there already is replaced. */
  add(movements: readonly ProviderMovement[]): Promise<void>
  /** Movements of these payments and the refunds of their captures; from now on they are taken. */
  take(keys: MovementKeys): Promise<ProviderMovement[]>
  /** Movements of a span of time that nobody took, those of one payment together. @param size payments at most */
  takeRest(since: Date, until: Date, size: number): Promise<ProviderMovement[]>
  /** How many there are. */
  readonly count: number
}
