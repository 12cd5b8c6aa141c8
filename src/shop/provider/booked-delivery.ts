/** The result of delivering an event to the shop. */
export interface BookedDelivery {
  /** HTTP status of the last response. */
  readonly status: number
  /** Times of that response and of the first call; ISO 8601. */
  readonly answeredAt: string
  readonly firstAt: string
}
