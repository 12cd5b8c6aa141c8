import type {Credentials} from '../credentials.js'
import {administratorHeader, type ControlCaller} from './caller.js'
import type {ServerReport} from './control.js'
import {STATUS_PATH} from './path.js'

/**
 * What a running server says of itself.
 *
 * @returns `undefined` when it is of a time that does not say, or does not know these credentials
 * @throws StorectlError as the caller does
 */
export async function askReport(
  caller: ControlCaller,
  credentials: Pick<Credentials, 'clientId' | 'clientSecret'>,
): Promise<ServerReport | undefined> {
  const headers = administratorHeader(credentials)
  const {status, body} = await caller.call({method: 'GET', path: STATUS_PATH, headers})
  return status === 200 ? (JSON.parse(body.toString('utf8')) as ServerReport) : undefined
}
