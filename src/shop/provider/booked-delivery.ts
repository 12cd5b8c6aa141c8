/** How the delivery of an event to the shop went. */
export interface BookedDelivery {
  /** HTTP status of the last answer. */
  readonly status: number
  /** When that answer came, and when the first call was made; ISO 8601. */
  readonly answeredAt: string
  readonly firstAt: string
}
