import {createUsageError} from '../errors.js'
import {isLoopback} from '../http/listener.js'

/**
 * Refuses an address that other machines can reach, unless that is wanted: the bundled shop has a known administrator
 * and no TLS.
 *
 * @throws StorectlError `usage.remote_host`
 */
export function refuseRemoteHost(host: string, allowed: boolean): void {
  if (allowed || isLoopback(host)) return
  throw createUsageError('remote_host', `On ${host}, other machines could reach the shop, without TLS.`, [
    'storectl server start',
    `storectl server start --host ${host} --allow-remote`,
  ])
}
