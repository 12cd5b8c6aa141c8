import {EXIT, type ExitName} from '../../errors.js'
import {type HelpLayout, joinSections, renderDefinitions, renderSection, wrap} from './help-layout.js'

interface Ending {
  readonly meaning: string
  readonly changed: string
}

/** What each exit code means, and whether the shop was changed. */
const ENDINGS: Readonly<Record<ExitName, Ending>> = {
  ok: {meaning: 'Success, or nothing to do', changed: 'as reported'},
  internal: {meaning: 'Bug, or output cannot be written (disk full)', changed: 'maybe; see the run'},
  usage: {meaning: 'Usage error or invalid input', changed: 'no'},
  partial: {
    meaning: 'Some items failed, one of several named records does not exist, or --fail-if-any found some',
    changed: 'as reported',
  },
  auth: {
    meaning: 'Not signed in, or the shop refused the credentials or the webhook token',
    changed: 'no, or as the run reports',
  },
  rejected: {meaning: 'The shop rejected every item', changed: 'no'},
  unavailable: {
    meaning: 'Network error, time-out, or 429 or 5xx after all retries',
    changed: 'unknown items are listed',
  },
  stopped: {
    meaning: 'A safety check stopped the run: --max, canary, breaker, protected profile, or a new hold',
    changed: 'up to the stop',
  },
  conflict: {meaning: 'Another run holds the lease', changed: 'no'},
  empty: {meaning: 'Nothing found under --fail-if-empty, or the named record does not exist', changed: 'no'},
}

const SIGNALS = [
  [129, 'hung-up', 'SIGHUP (the terminal was closed)', 'see the run'],
  [130, 'interrupted', 'SIGINT (Ctrl-C)', 'see the run'],
  [141, 'pipe', 'stdout closed during a write', 'see the run'],
  [143, 'terminated', 'SIGTERM', 'see the run'],
] as const

function listExits(): (readonly [code: number, name: string, meaning: string, changed: string])[] {
  const names = Object.keys(EXIT) as ExitName[]
  const own = names.map(name => [EXIT[name], name, ENDINGS[name].meaning, ENDINGS[name].changed] as const)
  return [...own, ...SIGNALS]
}

/** `storectl help exit-codes` */
export function renderExitCodesHelp(layout: HelpLayout): string {
  const rows = listExits().map(
    ([code, name, meaning, changed]) =>
      [`${String(code).padStart(3)}  ${name}`, `${meaning}\nChanges: ${changed}`] as const,
  )
  const order = 'If several codes apply, the first of these wins: signal, 4, 8, 7, 6, 3, 5.'
  return joinSections([
    renderSection('EXAMPLES', ['$ storectl webhook list --json || echo $?'], layout),
    renderSection('EXIT CODES', renderDefinitions(rows, layout), layout),
    renderSection('ORDER', wrap(order, layout.columns - 2), layout),
  ])
}
