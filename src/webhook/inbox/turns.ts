/**
 * Whose turn it is to hand on events of a payment, over all captures that share an inbox. Each holds for a while only, so
 * that one that went away keeps nobody waiting for ever.
 */
export interface Turns {
  /**
   * Takes all of the lanes, or none.
   *
   * @param holder nobody else's
   * @param ms how long it may hold them, by the database's clock
   * @returns whether they were free
   */
  take(target: string, lanes: readonly string[], holder: string, ms: number): Promise<boolean>
  leave(target: string, holder: string): Promise<void>
}
