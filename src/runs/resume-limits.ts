import {createUsageError} from '../errors.js'
import type {Concurrency, Rate} from './pool/adaptive-rate.js'
import type {RunSettings} from './pool/operation.js'

/** Limits that `run resume` may change; default: those of the run. 0 turns a limit off. */
export interface ResumeLimits {
  readonly rate?: Rate | undefined
  readonly concurrency?: Concurrency | undefined
  readonly max?: number | undefined
}

/** Settings of a run with the limits that a resume changes. */
export function applyLimits<Options extends RunSettings>(
  options: Options,
  {rate, concurrency, max}: ResumeLimits,
): Options {
  return {
    ...options,
    ...(rate === undefined ? {} : {ratePerSecond: rate}),
    ...(concurrency === undefined ? {} : {concurrency}),
    ...(max === undefined ? {} : {max: max || undefined}),
  }
}

/** @throws StorectlError `usage.max_of_replay` for a limit that a submit does not have */
export function requireNoMax(run: string, {max}: ResumeLimits): void {
  if (max !== undefined)
    throw createUsageError('max_of_replay', `Run ${run} is a submit: --max is for replays.`)
}

/**
 * The change that lets a paused run continue in its own processes.
 *
 * @throws StorectlError `usage.max_of_paused`
 */
export function resumeWithLimits(id: string, {rate, concurrency, max}: ResumeLimits) {
  if (max !== undefined)
    throw createUsageError('max_of_paused', `Run ${id} is under way and paused: --max cannot change.`)
  return {
    isPaused: false,
    ...(rate !== undefined && {ratePerSecond: rate}),
    ...(concurrency !== undefined && {concurrency}),
  }
}
