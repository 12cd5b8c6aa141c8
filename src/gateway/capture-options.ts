import {createUsageError} from '../errors.js'
import type {CaptureFlags} from '../flags/capture-flags.js'
import {type Address, isLoopback, parseListenAddress} from '../http/listener.js'
import {readIdentity} from '../http/trusted-certificates.js'
import {parseByteSize} from '../language/quantities.js'
import type {Certificate} from './webhook-listener.js'

export interface CaptureOptions {
  readonly listen: Address
  /** Where `/healthz` and `/metrics` are answered; `undefined`: at the same address as the webhook. */
  readonly metricsListen: Address | undefined
  /** What it shows, from PEM files; `undefined`: it speaks plain HTTP. */
  readonly certificate: Certificate | undefined
  readonly bodyBytes: number
  readonly acceptsWhenDown: boolean
  readonly skipsDelivered: boolean
  /** How much of the disk calls may fill, bytes; `undefined`: what suits the free space. */
  readonly maxDiskBytes: number | undefined
  /** How long a stop waits for what is under way, milliseconds. */
  readonly graceMs: number
}

/**
 * What flags ask of a capture.
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
