import type {CheckRow} from '../contract/status-rows.js'
import {type ExitName, StorectlError, selectStrongestExit} from '../errors.js'
import type {Presenter} from '../output/presenter.js'

/** The result of one check. */
export interface CheckResult {
  /** `ok`, `warning` for what is harmless so far, `failed`, or `skipped` for what could not be checked. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  /** The finding, for a person. */
  readonly found: string
  /** Commands to paste or things to do; empty if nothing is wrong. */
  readonly nextSteps?: readonly string[]
  /** The command's exit for a failure. Default `usage`. */
  readonly exit?: ExitName
}

/** One check. */
export interface HealthCheck {
  readonly name: string
  /** Names of checks that this one depends on: it is skipped if one of them has failed. */
  readonly needs?: readonly string[]
  /** A StorectlError that it throws is its finding. */
  examine(): Promise<CheckResult> | CheckResult
}

const CHECKS = {
  noun: ['finding', 'findings'] as const,
  id: 'check',
  hasCommands: true,
  columns: [{path: 'check'}, {path: 'state'}, {path: 'found', isProse: true}],
} as const

/** The results of all checks; `failures` grows while the rows are read. */
export interface Examination {
  readonly rows: AsyncGenerator<Row, void, undefined>
  readonly failures: ExitName[]
}

type Row = CheckRow & Readonly<Record<string, unknown>>

/**
 * Runs the checks one after the other, each when its row is read.
 *
 * @throws errors of a check that a person cannot act on
 */
export function examine(checks: readonly HealthCheck[]): Examination {
  const failures: ExitName[] = []
  const failed = new Set<string>()
  const runChecks = async function* () {
    for (const check of checks) {
      const missing = check.needs?.find(name => failed.has(name))
      const finding = missing === undefined ? await runCheck(check) : createSkippedFinding(missing)
      const {state, found, nextSteps = [], exit = 'usage'} = finding
      if (state === 'failed') failures.push(exit)
      if (state === 'failed' || missing !== undefined) failed.add(check.name)
      yield {check: check.name, state, found, fix: [...nextSteps]}
    }
  }
  return {rows: runChecks(), failures}
}

async function runCheck(check: HealthCheck): Promise<CheckResult> {
  try {
    return await check.examine()
  } catch (error) {
    if (!(error instanceof StorectlError)) throw error
    return {state: 'failed', found: error.message, nextSteps: error.nextSteps, exit: error.exitName}
  }
}

function createSkippedFinding(name: string): CheckResult {
  return {state: 'skipped', found: `see ${name}`}
}

/**
 * Prints the findings as they come, and the fixing commands on stderr, unless JSON has them.
 *
 * @returns the command's exit code
 */
export async function presentExamination(
  {rows, failures}: Examination,
  presenter: Presenter,
): Promise<ExitName> {
  const nextSteps: string[] = []
  const collectNextSteps = async function* () {
    for await (const row of rows) {
      for (const step of row.fix) nextSteps.push(`${row.check}: ${step}`)
      yield row
    }
  }
  await presenter.print(collectNextSteps(), CHECKS)
  const hasNextSteps = presenter.format === 'json' || presenter.format === 'ndjson'
  if (!hasNextSteps) for (const step of nextSteps) await presenter.note(step)
  return selectStrongestExit(failures)
}
