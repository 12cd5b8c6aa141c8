import {type Options, SingleBar} from 'cli-progress'
import type {Sink} from '../streams.js'
import type {BottomLine} from './bottom-line.js'

/** A bar at the bottom of a terminal. */
export interface ProgressBar {
  /** @param words what is said beside the bar; cut off where the terminal ends */
  update(done: number, words: string): void
  /** Takes the bar away; the terminal is as it was. */
  stop(): void
}

/** Columns of a terminal that does not know its width. */
const USUAL_COLUMNS = 80
const BAR_COLUMNS = 20

/** Narrower terminals get the words alone. */
const COLUMNS_FOR_BAR = 60

const TAKE_AWAY = '\r\u001b[2K'

/**
 * Draws a bar that switches nothing off and on at the terminal, so that nothing is left to be restored, whatever ends
 * the process.
 *
 * @param sink the terminal, past the bottom line
 */
export function openProgressBar(total: number, sink: Sink, bottom: BottomLine): ProgressBar {
  const put = (text: string) => {
    sink.write(text).catch(() => undefined)
    return true
  }
  const readColumns = () => sink.columns ?? USUAL_COLUMNS
  const stream = {
    isTTY: true,
    write: put,
    get columns() {
      return readColumns()
    },
  }
  const bar = new SingleBar({
    stream: stream as unknown as NodeJS.WritableStream,
    format: (_options, {progress}, {words}) => drawBar(progress, words, readColumns()),
    linewrap: true,
    hideCursor: false,
    clearOnComplete: true,
    forceRedraw: true,
    gracefulExit: false,
  } as Options)
  bar.start(total, 0, {words: ''})
  bottom.pin(() => put(TAKE_AWAY))
  return {
    update: (done, words) => bar.update(done, {words}),
    stop: () => {
      bottom.unpin()
      bar.stop()
      put(TAKE_AWAY)
    },
  }
}

/** One column stays free: a full line would move the cursor to the next. */
function drawBar(progress: number, words: string, columns: number): string {
  const share = Math.min(1, Math.max(0, progress))
  const percent = `${Math.floor(share * 100)}%`.padStart(4)
  const filled = Math.round(share * BAR_COLUMNS)
  const bar = `[${'='.repeat(filled)}${' '.repeat(BAR_COLUMNS - filled)}]`
  const line = columns < COLUMNS_FOR_BAR ? `${percent} ${words}` : `${bar}${percent} ${words}`
  return line.slice(0, Math.max(1, columns - 1))
}
