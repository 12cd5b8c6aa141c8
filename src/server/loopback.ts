import {usageError} from '../errors.js'

/** Whether an address to listen on can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)
}

/**
 * Refuses an address that other machines can reach, unless that is wanted: the bundled shop has a known administrator
 * and no TLS.
 *
 * @throws StorectlError `usage.remote_host`
 */
export function refuseRemoteHost(host: string, allowed: boolean): void {
  if (allowed || isLoopback(host)) return
  throw usageError('remote_host', `On ${host}, other machines could reach the shop, without TLS.`, [
    'storectl server start',
    `storectl server start --host ${host} --allow-remote`,
  ])
}
