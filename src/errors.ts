/**
 * Exit codes of the process, by name. Text and JSON output agree on them; they are semver.
 *
 * Signals are not listed: 130 (SIGINT), 143 (SIGTERM), 129 (SIGHUP) and 141 (stdout closed during a write) come from
 * the interruption.
 */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  partial: 3,
  auth: 4,
  rejected: 5,
  unavailable: 6,
  stopped: 7,
  conflict: 8,
  empty: 9,
} as const

export type ExitName = keyof typeof EXIT

/** Which exit wins when several apply to one run: signals come before all of these. */
const PRECEDENCE: readonly ExitName[] = ['auth', 'conflict', 'stopped', 'unavailable', 'partial', 'rejected']

/**
 * The exit that a run ends with when several reasons apply.
 *
 * @param names every reason that applies, in any order; empty means the run went well
 */
export function selectStrongestExit(names: Iterable<ExitName>): ExitName {
  const all = new Set(names)
  return PRECEDENCE.find(name => all.has(name)) ?? [...all].find(name => name !== 'ok') ?? 'ok'
}

/** A stable, dotted identifier whose first part is the exit name: `auth.not_signed_in`, `usage.unknown_flag`. */
export type ErrorCode = `${Exclude<ExitName, 'ok'>}.${string}`

export interface ErrorOptions {
  /** Commands to paste or things to do, most useful first. */
  nextSteps?: readonly string[]
  /** What caused it; shown only under `--debug`. */
  cause?: unknown
}

/**
 * An error that a person can act on. Branch on `code`, never on text.
 *
 * The message says what happened, to which thing, and whether anything was sent. It never contains a secret. Any other
 * thrown error is a bug: it keeps its stack and ends with exit 1.
 */
export class StorectlError extends Error {
  override readonly name = 'StorectlError'
  readonly nextSteps: readonly string[]

  constructor(
    readonly code: ErrorCode,
    message: string,
    {nextSteps = [], cause}: ErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : {cause})
    this.nextSteps = nextSteps
  }

  /** The exit name that the code begins with. */
  get exitName(): ExitName {
    return this.code.slice(0, this.code.indexOf('.')) as ExitName
  }

  /** The process's exit code, 1 to 9. */
  get exit(): number {
    return EXIT[this.exitName]
  }
}

/** A mistake in the typed input or in a given file; nothing was sent (exit 2). */
export function createUsageError(
  code: string,
  message: string,
  nextSteps: readonly string[] = [],
): StorectlError {
  return new StorectlError(`usage.${code}`, message, {nextSteps})
}
