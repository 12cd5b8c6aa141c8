import {createUsageError} from '../../errors.js'
import type {ReplayFlags} from '../../flags/replay-flags.js'

/** Why a flag cannot be combined with `--watch`. */
const REASONS: Readonly<Partial<Record<keyof ReplayFlags, string>>> = {
  'dry-run': 'a watch sends',
  plan: 'a watch makes a plan for each outage',
  apply: 'a watch makes a plan for each outage',
  status: 'a watch sends what is failed, pending or unknown',
  since: 'a watch goes on: --max-age holds what is too old',
  until: 'a watch goes on: --max-age holds what is too old',
  cause: 'a watch does not diagnose events',
  'include-unknown': 'an unknown result is for a person to decide',
  'include-resolved': 'a resolved event is for a person to decide',
  'include-delivered': 'a watch would send delivered events again and again',
}

/**
 * Refuses flags that make no sense for a watch.
 *
 * @param words arguments of the command
 * @throws StorectlError `usage.not_with_watch`
 */
export function requireWatchable(flags: ReplayFlags, words: readonly string[]): void {
  if (words.length > 0) throw createRefusal('ids, files and -', 'a watch is about the whole inbox')
  for (const [name, why] of Object.entries(REASONS)) {
    const value = flags[name as keyof ReplayFlags]
    if (value !== undefined && value !== false) throw createRefusal(`--${name}`, why)
  }
  if (flags.via === 'provider') throw createRefusal('--via provider', 'the provider delivers again by itself')
}

function createRefusal(what: string, why: string) {
  return createUsageError('not_with_watch', `--watch does not go with ${what}: ${why}. Nothing was sent.`, [
    'storectl webhook replay --watch',
  ])
}
