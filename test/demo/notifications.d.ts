/** A notification of the provider. */
export type Notification = Readonly<Record<string, unknown>>

export function capture(transactionId: string, ageMs: number): Notification
export function approved(ageMs: number): Notification
export function deliver(
  event: Notification,
  webhookUrl: string,
  parameter: string,
  token: string,
): Promise<number>
export function rotate(shopUrl: string, bearer: string, token: string): Promise<string>
