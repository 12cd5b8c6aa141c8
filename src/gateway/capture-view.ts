import {escapeControls} from '../output/escape-controls.js'
import type {Presenter} from '../output/presenter.js'
import type {View} from '../output/view.js'
import type {EventStatus} from '../webhook/event/event-status.js'
import {LIMITS} from './held-bytes.js'

/** One webhook call, as printed. Keys are stable. */
export type CapturedRow = {
  readonly receivedAt: string
  readonly id: string
  readonly type: string
  /** Status of the event in the inbox; `not-stored` if it is not there, and was not acknowledged by storectl. */
  readonly status: Exclude<EventStatus, 'resolved'> | 'not-stored'
  /** HTTP status of the shop's answer; `null` without one. */
  readonly answer: number | null
  /** HTTP status of the answer to the caller. */
  readonly answered: number
  /** From the end of the request to the answer. */
  readonly ms: number
  readonly message: string | null
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
    {path: 'message'},
  ],
}

/** Rows on their way to stdout. A reader that stops reading delays nothing else. */
class RowQueue {
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
function formatCapturedRow({receivedAt, id, type, status, answered, ms, message}: CapturedRow): string {
  const [, time = ''] = /T(.{8})/.exec(receivedAt) ?? []
  const said = message === null ? '' : `  ${message}`
  return escapeControls(
    `${time}Z  ${id}  ${type.padEnd(30)}  ${status.padEnd(9)}  ${answered}  ${ms} ms${said}`,
  )
}

/** Prints each event of a capture on stdout as it comes, and notes on stderr. */
export class CapturePresenter {
  readonly #queue = new RowQueue()
  readonly #printed: Promise<{readonly error: unknown} | undefined>

  constructor(private readonly presenter: Presenter) {
    this.#printed = this.#printRows().then(
      () => undefined,
      (error: unknown) => ({error}),
    )
  }

  add(row: CapturedRow): void {
    this.#queue.push(row)
  }

  /** A closed stderr stops nothing. */
  async note(text: string): Promise<void> {
    await this.presenter.note(text.trimEnd()).catch(() => undefined)
  }

  /** Prints the waiting rows. @throws the error that prevented a row from being printed */
  async end(): Promise<void> {
    this.#queue.close()
    const failure = await this.#printed
    if (failure) throw failure.error
  }

  /** A line at a time on a terminal, where a table would wait for more. */
  async #printRows(): Promise<void> {
    if (this.presenter.format !== 'table')
      return void (await this.presenter.print(this.#queue.read(), CAPTURED))
    for await (const row of this.#queue.read()) await this.presenter.write(`${formatCapturedRow(row)}\n`)
  }
}

/** A capture that accepts connections. */
export interface CaptureAddresses {
  readonly url: string
  /** The address for the provider's calls, without the token. */
  readonly webhookUrl: string
  readonly health: string
  readonly metrics: string
}

/** The start message for programs. */
interface Manner {
  /** Where calls are forwarded; `undefined` if they are only stored. */
  readonly forwardsTo: string | undefined
  readonly profile: {readonly name: string}
  readonly acceptsWhenDown: boolean
}

/** The start message for a person. */
export function describeOpened(
  {webhookUrl, health, metrics}: CaptureAddresses,
  {forwardsTo, profile, acceptsWhenDown}: Manner,
): string {
  const lines = [
    `Captures the webhook of "${profile.name}" at ${webhookUrl}`,
    forwardsTo === undefined
      ? 'Events are stored and answered 200, but not forwarded. storectl webhook replay sends them.'
      : `Each event is stored, then forwarded to ${forwardsTo}`,
    `Health: ${health}   Metrics: ${metrics}`,
  ]
  if (acceptsWhenDown) {
    lines.push(
      'While the shop is down, events are answered 200: the provider does not send them again.',
      'Only storectl webhook replay sends them.',
    )
  }
  return `${lines.join('\n')}\n`
}

/** The summary of a capture: how many calls were answered, by the event's status. */
export interface CaptureSummary {
  readonly counts: ReadonlyMap<CapturedRow['status'], number>
  /** Calls that had not been answered when the grace period was over. */
  readonly cutOff: number
}

/** `41 delivered, 2 failed` */
export function describeCaptured({counts, cutOff}: CaptureSummary): string {
  const parts = [...counts].sort().map(([status, count]) => `${count} ${status}`)
  const open = cutOff > 0 ? [`${cutOff} had no response yet and are stored as unknown`] : []
  return [...(parts.length > 0 ? parts : ['no events']), ...open].join(', ')
}
