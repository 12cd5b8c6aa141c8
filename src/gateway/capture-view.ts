import {visible} from '../output/escape-controls.js'
import type {View} from '../output/view.js'
import type {EventStatus} from '../webhook/event/event.js'
import {LIMITS} from './capture-limits.js'

/** One webhook call, as it is printed. Keys are stable. */
export type CapturedRow = {
  readonly receivedAt: string
  readonly id: string
  readonly type: string
  /** That of the event in the inbox; `not-kept` where it is not there, and was not acknowledged by us. */
  readonly status: Exclude<EventStatus, 'resolved'> | 'not-kept'
  /** HTTP status of the shop's answer; `null` where there was none. */
  readonly answer: number | null
  /** HTTP status that the caller was answered with. */
  readonly answered: number
  /** From the end of the request to the answer. */
  readonly ms: number
  readonly cause: string | null
}

export const CAPTURED: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'receivedAt', header: 'RECEIVED', kind: 'time'},
    {path: 'id'},
    {path: 'type'},
    {path: 'status'},
    {path: 'answer', kind: 'number'},
    {path: 'answered', kind: 'number'},
    {path: 'ms', kind: 'number'},
    {path: 'cause'},
  ],
}

/** Rows on their way to stdout. A reader who stops reading stops nothing else. */
export class RowQueue {
  #rows: CapturedRow[] = []
  #wake = () => {}
  #isClosed = false
  /** Rows that were left out. */
  left = 0

  push(row: CapturedRow): void {
    if (this.#isClosed || this.#rows.length >= LIMITS.waitingRows) this.left++
    else this.#rows.push(row)
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *read(): AsyncGenerator<CapturedRow, void, void> {
    for (;;) {
      const ready = this.#rows
      this.#rows = []
      yield* ready
      if (this.#rows.length > 0) continue
      if (this.#isClosed) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}

/** `14:03:05  WH-…  PAYMENT.CAPTURE.COMPLETED  delivered  200  14 ms` */
export function rowLine({receivedAt, id, type, status, answered, ms, cause}: CapturedRow): string {
  const [, time = ''] = /T(.{8})/.exec(receivedAt) ?? []
  const said = cause === null ? '' : `  ${cause}`
  return visible(`${time}Z  ${id}  ${type.padEnd(30)}  ${status.padEnd(9)}  ${answered}  ${ms} ms${said}`)
}
