import {replaceWrite, type Sink} from '../streams.js'

/** A line at the bottom of a terminal, as seen by code that writes above it. */
export interface PinnedLine {
  erase(): void
  draw(): void
}

/**
 * The last line of a terminal, below all output: it is erased before each write and drawn again after it. An unfinished
 * line of output is held back until it ends, because the pinned line would overwrite it.
 */
export class BottomLine {
  #line: PinnedLine | undefined
  readonly #held = new Set<() => void>()

  pin(line: PinnedLine): void {
    this.#line = line
  }

  /** Removes the line for good; writes unfinished lines that were held back. */
  unpin(): void {
    this.#line = undefined
    for (const release of this.#held) release()
    this.#held.clear()
  }

  /** A sink that writes above the line. */
  createSinkAbove(sink: Sink): Sink {
    let rest = ''
    const release = () => {
      const text = rest
      rest = ''
      sink.write(text).catch(() => undefined)
    }
    const writeAbove = (line: PinnedLine, text: string): Promise<void> => {
      const end = text.lastIndexOf('\n') + 1
      const whole = rest + text.slice(0, end)
      if (end === 0) rest += text
      else rest = text.slice(end)
      if (rest !== '') this.#held.add(release)
      if (end === 0) return Promise.resolve()
      line.erase()
      const written = sink.write(whole)
      line.draw()
      return written
    }
    return replaceWrite(sink, text =>
      this.#line && sink.isTerminal ? writeAbove(this.#line, decodeText(text)) : sink.write(text),
    )
  }
}

function decodeText(text: string | Uint8Array): string {
  return typeof text === 'string' ? text : new TextDecoder().decode(text)
}
