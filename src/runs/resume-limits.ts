import type {Rate} from './pool/adaptive-rate.js'
import type {RunSettings} from './pool/operation.js'

/** Limits that `run resume` sets anew; those of the run unless they are given. 0 turns a limit off. */
export interface ResumeLimits {
  readonly rate?: Rate | undefined
  readonly concurrency?: number | undefined
  readonly max?: number | undefined
}

/** Settings of a run with the limits that a resume sets anew. */
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
