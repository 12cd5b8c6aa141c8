import {createUsageError} from '../../errors.js'
import type {ReplayFlags} from '../../flags/replay-flags.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import type {Operation, RunSettings} from '../../runs/pool/operation.js'
import type {RunSignals} from '../../runs/workers/run-signals.js'
import type {ShopVersions} from '../../shopware/versions/version-range.js'
import {requireSkippableFlows} from '../../shopware/versions/versions.js'
import type {Selection} from '../choose/selection.js'
import type {EventStatus} from '../event/event-status.js'
import type {Rules} from './judged.js'
import type {ReplayPlan} from './planned.js'
import type {WrittenPlan} from './written-plan.js'

/** Settings of a replay. A limit that is undefined is off. */
export interface ReplayOptions extends Rules, RunSettings {
  /** A plan with more sends than this is refused before the first. */
  readonly max: number | undefined
  /** Who delivers the events: storectl, to the shop, or the provider. */
  readonly via: 'shop' | 'provider'
  /** How long to wait for the effect of the provider's delivery, milliseconds. */
  readonly providerWaitMs: number
  /** Does not ask the provider about senders. */
  readonly offline?: boolean | undefined
}

/** The typed command line, for a dry run, which ends with the one that sends. */
export interface CommandAfterDryRun {
  readonly yes: boolean
  /** Value of `--confirm`. */
  readonly confirm: string | undefined
  /** The command line that sends. @param set flags with values that replace the typed ones */
  render(set: Readonly<Record<string, string>>): string
}

/** The watch that a replay is a round of. */
export interface WatchedReplay {
  readonly id: string
  /** Observes what a run does. */
  guard<T, Row>(
    operation: Operation<T, Row>,
  ): {
    readonly operation: Operation<T, Row>
    /** Gets the signals that pause and stop the run, before it starts. */
    readonly onOpen: (signals: RunSignals) => void
  }
}

export interface ReplayInput {
  readonly options: ReplayOptions
  /** The events were chosen by their ids. */
  readonly isNamed: boolean
  readonly reason: string | null
  /** What the command line chose, for the record. */
  readonly asked: Readonly<Record<string, unknown>>
  /** Id of the run that this one resumes. */
  readonly continues?: string | undefined
  /** The purpose of sending delivered events again. */
  readonly purpose?: Purpose | undefined
  readonly watch?: WatchedReplay | undefined
  /** The plan file to execute; any difference is refused. */
  readonly approved?: WrittenPlan | undefined
  readonly command?: CommandAfterDryRun | undefined
  /** Whether a dry run ends with counts and amounts by sender, action and reason. */
  readonly hasTotals?: boolean | undefined
  /** Saves the plan before the confirmation prompt. Returns its SHA-256. */
  readonly savePlan?: ((plan: ReplayPlan, rules: Rules) => Promise<string>) | undefined
}

/** The limits and rules from flags. */
export function parseReplayOptions(flags: ReplayFlags): ReplayOptions {
  return {
    ratePerSecond: flags.rate,
    concurrency: flags.concurrency,
    max: flags.max || undefined,
    retries: flags.retries,
    graceMs: flags['grace-period'],
    maxAgeMs: flags['max-age'] || undefined,
    canary: flags.canary,
    failuresInARow: flags['breaker-failures'] || undefined,
    failureRate: flags['breaker-rate'] || undefined,
    includeOutOfOrder: flags['include-out-of-order'],
    includeUnverified: flags['include-unverified'],
    includeWrongToken: flags['include-wrong-token'],
    includeAmountDiffers: flags['include-amount-differs'],
    checkState: flags['check-state'],
    includeUnknown: flags['include-unknown'],
    includeDelivered: flags['include-delivered'],
    includeResolved: flags['include-resolved'],
    via: flags.via,
    providerWaitMs: flags['provider-wait'],
    offline: flags.offline === true,
    skipFlows: flags['skip-flows'] === true,
  }
}

/**
 * Options with the profile's settings for the shop, and with the shop's versions.
 *
 * @throws StorectlError `usage.skip_flows`, `usage.skip_flows_via_provider`
 */
export function adaptToShop(
  options: ReplayOptions,
  profile: Pick<ReplayOptions, 'provider' | 'presumeLostAfterMs'> & {readonly name: string},
  versions: ShopVersions,
): ReplayOptions {
  if (options.skipFlows === true) {
    if (options.via === 'provider') throw createViaProviderError()
    requireSkippableFlows(versions, profile.name)
  }
  const {provider, presumeLostAfterMs} = profile
  return {...options, versions, provider, presumeLostAfterMs}
}

function createViaProviderError() {
  return createUsageError(
    'skip_flows_via_provider',
    'The provider sends its own headers: --skip-flows and --via provider do not go together.',
    ['omit --via provider', 'or omit --skip-flows: flows will run'],
  )
}

/** The events that flags select. Delivered or resolved ones are included only on request. */
export function parseSelection(flags: ReplayFlags, now: Date): Selection {
  const more: EventStatus[] = [
    ...(flags['include-delivered'] ? (['delivered'] as const) : []),
    ...(flags['include-resolved'] ? (['resolved'] as const) : []),
  ]
  const usual: EventStatus[] | undefined =
    more.length > 0 ? ['failed', 'pending', 'unknown', ...more] : undefined
  return {
    statuses: flags.status ?? usual,
    types: flags.type,
    since: flags.since?.(now),
    until: flags.until?.(now),
    where: flags.where,
    causes: flags.cause,
  }
}

/** The purpose of a replay of delivered events: the same one resumes instead of starting again. */
export interface Purpose {
  /** Equal for every command that selects the same events. */
  readonly of: string
  /** Events that earlier runs of this purpose sent are sent again. */
  readonly isAfresh: boolean
}

/** A purpose as a run remembers it. */
interface Remembered {
  readonly of: string
  readonly sinceMs: number
}

/** The purpose of arguments and filters; a relative time is the same purpose at any time. */
export function parsePurpose(words: readonly string[], flags: ReplayFlags): Purpose | undefined {
  if (!flags['include-delivered']) return undefined
  const {status, type, since, until, where, cause, restart} = flags
  const epoch = new Date(0)
  const chosen = [words, status, type, since?.(epoch), until?.(epoch), where, cause]
  return {of: JSON.stringify(chosen.map(part => part ?? null)), isAfresh: restart}
}

/** Which deliveries count for a purpose. */
export interface ResendWindow {
  /** Those from this moment on, milliseconds since 1970. */
  readonly sinceMs: number
  /** Those of these runs, whose machines' clocks may differ. */
  readonly runs: readonly string[]
}

/** Finds which deliveries count for a purpose: those since its first run began, unless it restarts. */
export async function findResendWindow(
  {of, isAfresh}: Purpose,
  target: string,
  runs: Pick<RunStore, 'list'>,
  now: Date,
): Promise<ResendWindow> {
  let sinceMs: number | undefined
  const same: string[] = []
  if (isAfresh) return {sinceMs: now.getTime(), runs: same}
  for await (const {id, options} of runs.list({kind: 'replay', target})) {
    const remembered = options.purpose as Remembered | undefined
    if (remembered?.of !== of) continue
    sinceMs ??= remembered.sinceMs
    if (remembered.sinceMs === sinceMs) same.push(id)
  }
  return {sinceMs: sinceMs ?? now.getTime(), runs: same}
}
