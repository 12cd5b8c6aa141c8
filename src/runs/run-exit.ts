import {type ErrorCode, type ExitName, StorectlError, selectStrongestExit} from '../errors.js'

/** What the items of a run came to. */
export interface ClassTotals {
  /** Items that stand. */
  readonly done: number
  /** Items that do not stand, or of which nobody knows. */
  readonly failed: number
  /** Items that were kept back, and wait for a person. */
  readonly held: number
  /** What single items ask for; only `auth` and `unavailable` count by themselves. */
  readonly exits: Iterable<ExitName>
}

/**
 * How a run ends: `partial` when some of it stands and some does not, `guard` when all was kept back, `rejected` when
 * the other side refused all.
 *
 * @param halt what stopped it; a mistake of usage counts as such only where nothing was changed and nothing may have been
 */
export function chooseRunExit(
  {done, failed, held, exits}: ClassTotals,
  halt: StorectlError | undefined,
): ExitName {
  const names = new Set<ExitName>([...exits].filter(name => name === 'unavailable' || name === 'auth'))
  if (halt?.exitName === 'usage' && done === 0 && names.size === 0) return 'usage'
  if (failed > 0) names.add(done > 0 ? 'partial' : 'rejected')
  if (held > 0) names.add(done > 0 || failed > 0 ? 'partial' : 'guard')
  if (halt) names.add(halt.exitName)
  return selectStrongestExit(names)
}

/** What stopped a run, with the exit that all of it together asks for. */
export function withExit(halt: StorectlError, exit: ExitName): StorectlError {
  const code = `${exit}${halt.code.slice(halt.code.indexOf('.'))}` as ErrorCode
  return new StorectlError(code, halt.message, {nextSteps: halt.nextSteps, cause: halt.cause})
}
