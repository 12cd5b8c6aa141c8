import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import {ListCursor} from './list-cursor.js'
import {alignCells, fitLine} from './screen-lines.js'
import type {TriageView} from './triage-view.js'

/** What each key does, with the command that does the same. */
export const TRIAGE_KEYS: readonly (readonly [key: string, does: string, command: string])[] = [
  ['↑ ↓ PgUp PgDn', 'move', ''],
  ['g G', 'first row, last row', ''],
  ['Enter ←', 'open, go back', 'webhook list, webhook show'],
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
  readonly #cursor = new ListCursor()
  #page = 1

  render({columns, rows}: ScreenSize): string[] {
    this.#page = rows
    const lines = alignCells([...TRIAGE_KEYS, ['', '', ''], ABOUT], new Set())
    this.#cursor.at = Math.max(0, Math.min(this.#cursor.at, lines.length - rows))
    return lines.slice(this.#cursor.at).map(line => fitLine(line, columns))
  }

  press({name}: Key): boolean {
    return this.#cursor.move(name, TRIAGE_KEYS.length, this.#page)
  }

  selectCurrent(): undefined {
    return undefined
  }

  listCommands(): readonly [] {
    return []
  }

  close(): void {}
}

const ABOUT = ['Without marks', 'a key applies to the row with the cursor', '']
