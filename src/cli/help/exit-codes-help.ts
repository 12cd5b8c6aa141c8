import {EXIT, type ExitName} from '../../errors.js'
import {type HelpLayout, joinSections, renderDefinitions, renderSection, wrap} from './help-layout.js'

interface Ending {
  readonly meaning: string
  readonly changed: string
}

/** What each exit code means, and whether the shop was changed. */
const ENDINGS: Readonly<Record<ExitName, Ending>> = {
  ok: {meaning: 'done; also when there was nothing to do', changed: 'as reported'},
  internal: {
    meaning: 'a bug, or output that could not be written (a full disk)',
    changed: 'maybe; the run says',
  },
  usage: {meaning: 'a wrong flag or argument, a wrong file, input that is not valid', changed: 'no'},
  partial: {
    meaning: 'some of it was done and some was not; or --fail-if-any was given and there is one',
    changed: 'yes; by --fail-if-any no',
  },
  auth: {
    meaning: 'not signed in, or the shop refused the credentials or the webhook token',
    changed: 'no, or as the run says',
  },
  rejected: {meaning: 'the shop refused every item', changed: 'no'},
  unavailable: {
    meaning: 'no network, a time-out, or 429 or 5xx after all retries',
    changed: 'unknown items are listed',
  },
  stopped: {
    meaning:
      'a safety stop: over --max, too many failures, protected profile not confirmed, or something newly held',
    changed: 'up to the stop',
  },
  conflict: {meaning: 'another run is at work on the same thing', changed: 'no'},
  empty: {
    meaning:
      'nothing was found, and --fail-if-empty was given; or there is no such customer or order to show',
    changed: 'no',
  },
}

const SIGNALS = [
  [130, 'interrupted', 'stopped by SIGINT (Ctrl-C)', 'the run says'],
  [141, 'pipe', 'the reader of stdout went away while something was being changed', 'the run says'],
  [143, 'terminated', 'stopped by SIGTERM', 'the run says'],
] as const

function listExits(): (readonly [code: number, name: string, meaning: string, changed: string])[] {
  const names = Object.keys(EXIT) as ExitName[]
  const own = names.map(name => [EXIT[name], name, ENDINGS[name].meaning, ENDINGS[name].changed] as const)
  return [...own, ...SIGNALS]
}

/** `0 ok, 1 internal, …`, a code never parted from its name. */
export function formatExitCodes(columns: number): string[] {
  const all = listExits().map(([code, name]) => `${code}\u00a0${name}`)
  return wrap(all.join(', '), columns).map(line => line.replaceAll('\u00a0', ' '))
}

/** `storectl help exit-codes` */
export function renderExitCodesHelp(layout: HelpLayout): string {
  const rows = listExits().map(
    ([code, name, meaning, changed]) =>
      [`${String(code).padStart(3)}  ${name}`, `${meaning}\nchanged anything? ${changed}`] as const,
  )
  const order = 'When several apply, the first of these wins: a signal, 4, 8, 7, 6, 3, 5.'
  return joinSections([
    renderSection('EXAMPLES', ['$ storectl webhook list --json || echo $?'], layout),
    renderSection('EXIT CODES', renderDefinitions(rows, layout), layout),
    renderSection('ORDER', wrap(order, layout.columns - 2), layout),
  ])
}
