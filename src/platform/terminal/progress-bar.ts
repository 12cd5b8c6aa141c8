import {Format, type Options} from 'cli-progress'
import type {Sink} from '../streams.js'
import type {BottomLine} from './bottom-line.js'

/** The progress that a bar shows. */
export interface ProgressState {
  /** Between 0 and 1; `undefined` where the total is unknown. */
  readonly share: number | undefined
  /** Texts beside the bar, the most important first; parts that do not fit are left out. */
  readonly parts: readonly string[]
}

/** A bar at the bottom of a terminal. */
export interface ProgressBar {
  update(state: ProgressState): void
  /** Erases the bar. */
  stop(): void
}

/** For a terminal of unknown width. */
const USUAL_COLUMNS = 80
const BAR_COLUMNS = 20
const LEAST_BAR_COLUMNS = 8
const GAP = '  '

/**
 * Erases from the start of the line to the end of the screen. The cursor stays at the start of the bar's line, so that
 * this also erases the wrapped bar after the terminal became narrower.
 */
const ERASE = '\r\u001b[J'

/**
 * Draws a bar without saving the cursor or changing the terminal's mode, so that nothing needs restoring, however the
 * process ends. Saved cursors fail as soon as rows have scrolled.
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

/** A line of at most `width` columns: bar and percentage if they fit, then as many parts as fit. */
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
