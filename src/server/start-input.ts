import {createUsageError} from '../errors.js'
import type {StartFlags} from '../flags/start-flags.js'
import {isLoopback} from '../http/listener.js'
import {parseByteSize} from '../language/quantities.js'
import {parseFaultRule, type ServeOptions} from '../shop/index.js'

/**
 * Where a server listens, its faults and its limits.
 *
 * @throws StorectlError `usage.remote_host`, and as faults and sizes do
 */
export function parseStartInput(
  flags: StartFlags,
): Pick<ServeOptions, 'host' | 'port' | 'rules' | 'limits' | 'seed' | 'shopVersion'> {
  const {host, port, fault = [], seed} = flags
  refuseRemoteHost(host, flags['allow-remote'])
  const rules = fault.map(parseFaultRule)
  return {
    ...{host, port, rules, seed},
    shopVersion: flags['shop-version'],
    limits: {
      bodyBytes: parseByteSize(flags['body-limit']),
      ...(flags['max-limit'] === undefined ? {} : {maxLimit: flags['max-limit']}),
    },
  }
}

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
