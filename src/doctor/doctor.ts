import {type ExitName, StorectlError, selectStrongestExit} from '../errors.js'
import type {Presenter} from '../output/presenter.js'

/** How one thing was found to be. */
export interface CheckResult {
  /** `ok`, `warning` that harms nothing yet, `failed`, or `skipped` for what could not be looked at. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  /** What was seen, for a person. */
  readonly found: string
  /** Commands to paste or things to do; empty when nothing is wrong. */
  readonly nextSteps?: readonly string[]
  /** What a failure ends the command with. Default `usage`. */
  readonly exit?: ExitName
}

/** One thing to look at. */
export interface HealthCheck {
  readonly name: string
  /** Names of checks without which this one has nothing to look at: it is skipped when one of them has failed. */
  readonly needs?: readonly string[]
  /** What it throws as StorectlError is its finding. */
  examine(): Promise<CheckResult> | CheckResult
}

/** A finding as it is printed. */
export interface CheckRow {
  readonly check: string
  readonly state: CheckResult['state']
  readonly found: string
  readonly fix: readonly string[]
}

const CHECKS = {
  noun: ['finding', 'findings'] as const,
  id: 'check',
  hasCommands: true,
  columns: [{path: 'check'}, {path: 'state'}, {path: 'found', isProse: true}],
} as const

/** What a round of checks came to; `failures` fills while the rows are read. */
export interface Examination {
  readonly rows: AsyncGenerator<Row, void, undefined>
  readonly failures: ExitName[]
}

type Row = CheckRow & Readonly<Record<string, unknown>>

/**
 * Goes through the checks one after the other, each when its row is asked for.
 *
 * @throws whatever a check throws that nobody can act on
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
 * Prints the findings as they come, and on stderr the commands that repair what is wrong, unless JSON has them.
 *
 * @returns what the command ends with
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
