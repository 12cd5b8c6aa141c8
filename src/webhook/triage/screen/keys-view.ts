import type {ScreenSize} from '../../../platform/terminal/full-screen.js'
import {alignCells, fitLine} from './screen-lines.js'
import type {TriageView} from './triage-view.js'

/** What each key does, with the command that does the same. */
export const TRIAGE_KEYS: readonly (readonly [key: string, does: string, command: string])[] = [
  ['↑ ↓ PgUp PgDn', 'move', ''],
  ['g G', 'first row, last row', ''],
  ['Enter ←', 'open, go back', 'webhook list, show'],
  ['space a', 'mark a group or an event; all groups', '--cause NAME, or ids'],
  ['/', 'filter', '--where EXPR'],
  ['p', 'show the plan, and send nothing', 'webhook replay --dry-run'],
  ['s', 'show the plan; on the plan, send it', 'webhook replay'],
  ['r', 'resolve, with a reason', 'webhook resolve'],
  ['v', 'check who sent them', 'webhook verify'],
  ['b', 'both sides of a payment', 'payment show'],
  ['?', 'list the keys', ''],
  ['q', 'quit, and print what ran', ''],
]

/** The keys, and what they do. */
export class KeysView implements TriageView {
  readonly title = 'keys'
  readonly hints = '← back'

  render({columns, rows}: ScreenSize): string[] {
    const lines = [...alignCells(TRIAGE_KEYS, new Set()), '', ABOUT]
    return lines.slice(0, rows).map(line => fitLine(line, columns))
  }

  press(): boolean {
    return false
  }

  selectCurrent(): undefined {
    return undefined
  }

  listCommands(): readonly [] {
    return []
  }

  close(): void {}
}

const ABOUT = 'Without marks, a key applies to the row with the cursor.'
