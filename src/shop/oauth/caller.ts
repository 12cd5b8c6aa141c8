/** Who a request comes from, as its access token says. @see protocol.md §3.3 */
export interface Caller {
  kind: 'user' | 'integration'
  /** The user's or the integration's id, 32 hex digits. */
  id: string
  /** Administrators need no privileges. */
  isAdministrator: boolean
  /** `customer:read`, `fulfillment_order:create` … */
  privileges: ReadonlySet<string>
  /** The scopes of the token, in its order. */
  scopes: readonly string[]
}
