/** A notification of the provider. */
export type Notification = Readonly<Record<string, unknown>>

/** A payment as a search of the shop has it; without an amount, one of another shop. */
export interface DemoPayment {
  readonly id: string
  readonly amount?: {readonly totalPrice: number}
}

export function capture(payment: DemoPayment, ageMs: number): Notification
export function approved(ageMs: number): Notification
export function deliver(
  event: Notification,
  webhookUrl: string,
  parameter: string,
  token: string,
): Promise<number>
export function rotate(shopUrl: string, bearer: string, token: string): Promise<string>
