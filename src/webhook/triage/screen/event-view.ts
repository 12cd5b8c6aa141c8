import type {DiagnosisRow} from '../../../contract/event-rows.js'
import type {Key, ScreenSize} from '../../../platform/terminal/full-screen.js'
import {readPaymentWord} from '../../diagnose/known-drift.js'
import {ListCursor} from './list-cursor.js'
import {fitLine} from './screen-lines.js'
import type {TriageSelection} from './triage-selection.js'
import {ACTION_HINTS, type KeyCommand, type TriageView, type ViewContext} from './triage-view.js'

/** One event: its state, why it failed, its history and its body. */
export class EventView implements TriageView {
  readonly hints: string
  readonly #cursor = new ListCursor()
  #lines: readonly string[] = ['Reading…']
  #columns = 0
  #page = 1
  #readings = 0
  /** The key of its payment; `null` if the event names none. */
  readonly #payment: string | null

  constructor(private readonly event: DiagnosisRow) {
    this.#payment = readPaymentWord(event.transaction)
    const both = this.#payment === null ? '' : 'b both sides  '
    this.hints = `${both}← back  ${ACTION_HINTS}  space mark  ↑↓ scroll  / filter`
  }

  get title(): string {
    return this.event.id
  }

  /** Whether it has been read from inbox and shop. */
  get isReading(): boolean {
    return this.#readings > 0
  }

  async #readPayment(word: string, {source, refresh}: ViewContext): Promise<void> {
    this.#lines = ['Asking shop and provider…']
    refresh()
    this.#lines = await source.describePayment(word, this.#columns)
    this.#cursor.at = 0
    refresh()
  }

  async #read(columns: number, {source, refresh}: ViewContext): Promise<void> {
    this.#readings++
    try {
      const lines = await source.describeEvent(this.event.id, columns)
      // For a narrower terminal, it is read again.
      if (columns === this.#columns) this.#lines = lines
    } finally {
      this.#readings--
      refresh()
    }
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

  press({name, text}: Key, context: ViewContext): boolean {
    if (text === 'b' && this.#payment !== null) {
      context.note(['payment', 'show', this.#payment])
      context.watch(this.#readPayment(this.#payment, context))
      return true
    }
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
    const payment: KeyCommand[] = this.#payment === null ? [] : [['b', ['payment', 'show', this.#payment]]]
    return [...payment, ['history', source.writeCommand('show', selection, {attempts: true})]]
  }

  close(): void {}
}
