import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import type {DiagnosisRow} from '../../diagnose/diagnose.js'
import {ListCursor} from './list-cursor.js'
import {fitLine} from './screen-lines.js'
import type {TriageSelection} from './triage-selection.js'
import type {KeyCommand, TriageView, ViewContext} from './triage-view.js'

/** One event: its state, why it failed, its history and its body. */
export class EventView implements TriageView {
  readonly hints = 'space mark  ↑↓ scroll  ← back'
  readonly #cursor = new ListCursor()
  #lines: readonly string[] = ['Reading…']
  #columns = 0
  #page = 1

  constructor(
    private readonly event: DiagnosisRow,
    context: ViewContext,
  ) {
    this.#columns = 0
    context.refresh()
  }

  get title(): string {
    return this.event.id
  }

  async #read(columns: number, {source, refresh}: ViewContext): Promise<void> {
    this.#lines = await source.describeEvent(this.event.id, columns)
    refresh()
  }

  render({columns, rows}: ScreenSize, context: ViewContext): string[] {
    if (columns !== this.#columns) {
      this.#columns = columns
      context.watch(this.#read(columns, context))
    }
    this.#page = rows
    const mark = context.marks.isEventMarked(this.event.id, this.event.cause) ? ['marked'] : []
    const lines = [...mark, ...this.#lines]
    this.#cursor.at = Math.max(0, Math.min(this.#cursor.at, lines.length - rows))
    return lines.slice(this.#cursor.at, this.#cursor.at + rows).map(line => fitLine(line, columns))
  }

  press({name}: Key, context: ViewContext): boolean {
    if (name === 'space') {
      context.report(context.marks.toggleEvent(this.event.id, this.event.cause) ?? '')
      return true
    }
    return this.#cursor.move(name, this.#lines.length + 1, this.#page)
  }

  selectCurrent(): TriageSelection {
    return {causes: [], where: undefined, ids: [this.event.id]}
  }

  listCommands({source}: ViewContext): readonly KeyCommand[] {
    const selection = {causes: [], where: undefined, ids: [this.event.id]}
    return [['history', source.writeCommand('show', selection, {attempts: true})]]
  }

  close(): void {}
}
