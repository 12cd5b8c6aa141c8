import type {Credentials} from '../credentials.js'

/** Calls to a running server; `http` gives such. */
export interface ControlCaller {
  call(call: {
    method: string
    path: string
    headers?: Readonly<Record<string, string>>
    body?: string
  }): Promise<{status: number; body: Buffer}>
}

/** What lets a command in at the control routes. @see RFC 7617 */
export function administratorHeader({
  clientId,
  clientSecret,
}: Pick<Credentials, 'clientId' | 'clientSecret'>): {authorization: string} {
  return {authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`}
}
