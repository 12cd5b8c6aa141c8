import {StorectlError} from '../errors.js'
import type {Receive} from '../http/http.js'
import {STATUS_PATH} from '../wire/control-paths.js'
import type {ServerReport} from '../wire/schemas/server.js'

/** Calls to a running server; `http` gives such. */
export interface ControlCaller {
  call(call: {
    method: string
    path: string
    headers?: Readonly<Record<string, string>>
    body?: string
    receive?: Receive
  }): Promise<{status: number; body: Buffer}>
}

/** The integration by which a command signs in at the control routes: the shop's own. */
export interface Administrator {
  readonly clientId: string
  readonly clientSecret: string
}

/** What lets a command in at the control routes. @see RFC 7617 */
export function buildAdministratorHeader({clientId, clientSecret}: Administrator): {authorization: string} {
  return {authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`}
}

/**
 * What a running server says of itself.
 *
 * @returns `undefined` when it is of a time that does not say, or does not know these credentials
 * @throws StorectlError as the caller does
 */
export async function askReport(
  caller: ControlCaller,
  administrator: Administrator,
): Promise<ServerReport | undefined> {
  const headers = buildAdministratorHeader(administrator)
  const {status, body} = await caller.call({method: 'GET', path: STATUS_PATH, headers})
  return status === 200 ? (JSON.parse(body.toString('utf8')) as ServerReport) : undefined
}

/** Why a running server did not do what a command asked. @param what it was asked about: `its faults` */
export function createControlRefusedError(status: number, what: string): StorectlError {
  if (status === 401 || status === 403) {
    return new StorectlError('auth.control_refused', `The server refused its own credentials (${status}).`, {
      nextSteps: ['storectl server credentials --reset'],
    })
  }
  return new StorectlError('unavailable.control_refused', `The server answered ${status} about ${what}.`, {
    nextSteps: ['storectl server status', 'storectl server stop', 'storectl server start'],
  })
}
