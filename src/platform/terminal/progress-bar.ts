import {Format, type Options} from 'cli-progress'
import type {Sink} from '../streams.js'
import type {BottomLine} from './bottom-line.js'

/** What is shown of work that takes a while. */
export interface ProgressState {
  /** Between 0 and 1; `undefined` where nobody knows how much there is. */
  readonly share: number | undefined
  /** Said beside the bar, the most important first; what has no room is left out whole. */
  readonly parts: readonly string[]
}

/** A bar at the bottom of a terminal. */
export interface ProgressBar {
  update(state: ProgressState): void
  /** Erases the bar; the terminal is as it was. */
  stop(): void
}

/** Columns of a terminal that does not know its width. */
const USUAL_COLUMNS = 80
const BAR_COLUMNS = 20
const LEAST_BAR_COLUMNS = 8
const GAP = '  '

/**
 * Erases from the start of the line to the end of the screen. The cursor waits at the start of the bar's line, so that
 * this also erases what a terminal that became narrower has wrapped.
 */
const ERASE = '\r\u001b[J'

/**
 * Draws a bar that saves no cursor and switches nothing off at the terminal, so that nothing is left to be restored,
 * whatever ends the process. Saved cursors were tried and failed as soon as rows had scrolled.
 *
 * @param sink the terminal, past the bottom line
 */
export function openProgressBar(sink: Sink, bottom: BottomLine): ProgressBar {
  let line: string | undefined
  let state: ProgressState | undefined
  const put = (text: string) => {
    sink.write(text).catch(() => undefined)
  }
  const draw = () => {
    if (!state) return
    line = layOutProgress(state, (sink.columns ?? USUAL_COLUMNS) - 1)
    put(`${ERASE}${line}\r`)
  }
  const erase = () => {
    if (line !== undefined) put(ERASE)
    line = undefined
  }
  bottom.pin({erase, draw})
  return {
    update: next => {
      state = next
      draw()
    },
    stop: () => {
      erase()
      state = undefined
      bottom.unpin()
    },
  }
}

/** A line of at most `width` columns: bar and percentage where they fit, then as many parts as fit. */
function layOutProgress({share, parts}: ProgressState, width: number): string {
  const part = share === undefined ? 0 : Math.min(1, Math.max(0, share))
  const percent = share === undefined ? '' : `${Math.floor(part * 100)}%`.padStart(4)
  const [first = '', ...others] = parts
  let text = percent === '' ? first : `${percent}${GAP}${first}`
  for (const each of others) {
    if (text.length + GAP.length + each.length <= width) text += `${GAP}${each}`
  }
  const left = Math.min(BAR_COLUMNS, width - text.length - '[]'.length)
  const hasBar = percent !== '' && left >= LEAST_BAR_COLUMNS
  return `${hasBar ? drawBar(part, left) : ''}${text}`.slice(0, Math.max(0, width))
}

function drawBar(share: number, columns: number): string {
  const options = {
    ...{barsize: columns, barGlue: ''},
    ...{barCompleteString: '='.repeat(columns), barIncompleteString: ' '.repeat(columns)},
  }
  return `[${Format.BarFormat(share, options as Options)}]`
}
