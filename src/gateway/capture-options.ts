import {createUsageError} from '../errors.js'
import type {CaptureFlags} from '../flags/capture-flags.js'
import {type Address, isLoopback, parseListenAddress} from '../http/listener.js'
import {readIdentity} from '../http/trusted-certificates.js'
import {parseByteSize} from '../language/quantities.js'
import type {Certificate} from './webhook-listener.js'

export interface CaptureOptions {
  readonly listen: Address
  /** Address of `/healthz` and `/metrics`; `undefined`: that of the webhook. */
  readonly metricsListen: Address | undefined
  /** Its certificate and key, from PEM files; `undefined`: plain HTTP. */
  readonly certificate: Certificate | undefined
  readonly bodyBytes: number
  readonly acceptsWhenDown: boolean
  readonly skipsDelivered: boolean
  /** How much of the disk calls may fill, bytes; `undefined`: depends on the free space. */
  readonly maxDiskBytes: number | undefined
  /** How long a stop waits for calls in flight, milliseconds. */
  readonly graceMs: number
}

/**
 * The options of a capture from flags.
 *
 * @throws StorectlError `usage.remote_host`, `usage.listen`, `usage.size`, `usage.cert`, `usage.key`
 */
export async function readCaptureOptions(flags: CaptureFlags): Promise<CaptureOptions> {
  const isRemoteAllowed = flags['allow-remote'] ?? false
  const own = flags['metrics-listen']
  const cert = flags['tls-cert']
  return {
    listen: parseAddress(flags.listen, isRemoteAllowed),
    metricsListen: own === undefined ? undefined : parseAddress(own, isRemoteAllowed),
    certificate: cert === undefined ? undefined : await readIdentity(cert, flags['tls-key']),
    bodyBytes: parseByteSize(flags['body-limit']),
    acceptsWhenDown: flags['accept-when-down'] ?? false,
    skipsDelivered: flags['skip-delivered'] ?? false,
    maxDiskBytes: flags['max-disk'] === undefined ? undefined : parseByteSize(flags['max-disk']),
    graceMs: flags['shutdown-timeout'],
  }
}

function parseAddress(text: string, isRemoteAllowed: boolean): Address {
  const found = parseListenAddress(text)
  if (isRemoteAllowed || isLoopback(found.host)) return found
  throw createUsageError('remote_host', `On ${text}, other machines could reach the capture.`, [
    `storectl webhook capture --listen 127.0.0.1:${found.port}`,
    `storectl webhook capture --listen ${text} --allow-remote`,
  ])
}
