import type {EventStatus} from '../event/event.js'
import type {ReplayOptions} from '../replay/replay.js'
import type {Selection} from './selection.js'

/** What `webhook replay` takes; 0 turns a limit off. */
export interface ReplayFlags {
  readonly status?: readonly string[] | undefined
  readonly type?: readonly string[] | undefined
  readonly since?: ((now: Date) => Date) | undefined
  readonly until?: ((now: Date) => Date) | undefined
  readonly rate: number
  readonly concurrency: number
  readonly max: number
  readonly retries: number
  readonly 'max-age': number
  readonly canary: number
  readonly 'breaker-failures': number
  readonly 'breaker-rate': number
  readonly stale: string
  readonly verify: string
  readonly 'include-unknown': boolean
  readonly 'include-delivered': boolean
  readonly 'include-resolved': boolean
  readonly via: string
  readonly 'provider-wait': number
}

/** The limits and rules that flags ask for. */
export function optionsOf(flags: ReplayFlags): ReplayOptions {
  return {
    ratePerSecond: flags.rate,
    concurrency: flags.concurrency,
    max: flags.max || undefined,
    retries: flags.retries,
    maxAgeMs: flags['max-age'] || undefined,
    canary: flags.canary,
    failuresInARow: flags['breaker-failures'] || undefined,
    failureRate: flags['breaker-rate'] || undefined,
    stale: flags.stale as ReplayOptions['stale'],
    verify: flags.verify as ReplayOptions['verify'],
    includeUnknown: flags['include-unknown'],
    includeDelivered: flags['include-delivered'],
    includeResolved: flags['include-resolved'],
    via: flags.via as ReplayOptions['via'],
    providerWaitMs: flags['provider-wait'],
  }
}

/** The events that flags select. What was delivered, or dealt with by hand, is among them only when it is asked for. */
export function selectionOf(flags: ReplayFlags, now: Date): Selection {
  const more: EventStatus[] = [
    ...(flags['include-delivered'] ? (['delivered'] as const) : []),
    ...(flags['include-resolved'] ? (['resolved'] as const) : []),
  ]
  const usual: EventStatus[] | undefined =
    more.length > 0 ? ['failed', 'pending', 'unknown', ...more] : undefined
  return {
    statuses: (flags.status as EventStatus[] | undefined) ?? usual,
    types: flags.type,
    since: flags.since?.(now),
    until: flags.until?.(now),
  }
}
