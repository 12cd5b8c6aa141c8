import type {Connection, Profile} from '../../auth/profile/profile.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Host} from '../host.js'
import {connect} from './connection.js'
import {type EndpointDeps, openEndpoint} from './endpoint.js'

/** Calls to the shop of any profile but the bundled one; none is repeated without an answer. */
export async function connectOnce(
  host: Host,
  {home, openHttp, prompts}: Pick<EndpointDeps, 'home' | 'openHttp'> & {readonly prompts: Prompts},
  profile: Profile,
): Promise<Connection> {
  const endpoint = await openEndpoint(host, profile, {home, openHttp, waits: false})
  const openPrompts = () => prompts
  const connection = connect(host, endpoint, {yes: false, confirm: undefined, prompts: openPrompts})
  return {...connection, patient: connection.signed}
}
