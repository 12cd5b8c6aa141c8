import type {CaptureFlags} from '../flags/capture-flags.js'
import type {CaptureOptions} from './capture-options.js'
import type {CaptureSummary} from './capture-view.js'
import type {CaptureDeps} from './gateway.js'

export type {CaptureOptions} from './capture-options.js'
export {
  CapturePresenter,
  type CaptureSummary,
  describeCaptured,
  describeOpened,
} from './capture-view.js'
export type {CaptureDeps} from './gateway.js'

/**
 * Runs a proxy for a shop's webhook route until it is stopped: stores each call, forwards it, and returns the shop's
 * answer.
 *
 * @throws StorectlError `conflict.port_in_use`, `usage.address_not_usable`, and as reading the inbox does
 */
export async function capture(options: CaptureOptions, deps: CaptureDeps): Promise<CaptureSummary> {
  return (await import('./gateway.js')).runCapture(options, deps)
}

/**
 * The options of a capture from flags.
 *
 * @throws StorectlError `usage.remote_host`, `usage.listen`, `usage.size`, `usage.cert`, `usage.key`
 */
export async function parseCaptureOptions(flags: CaptureFlags): Promise<CaptureOptions> {
  return (await import('./capture-options.js')).readCaptureOptions(flags)
}
