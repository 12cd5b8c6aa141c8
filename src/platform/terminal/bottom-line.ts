import type {Sink} from '../streams.js'

/** A line that stays at the bottom of a terminal: whatever else is written there takes its place until it is drawn anew. */
export class BottomLine {
  #hide: (() => void) | undefined

  /** @param hide takes the line away; it comes back by itself */
  pin(hide: () => void): void {
    this.#hide = hide
  }

  /** The line is gone for good. */
  unpin(): void {
    this.#hide = undefined
  }

  /** A sink that writes above the line. */
  createSinkAbove(sink: Sink): Sink {
    return {
      get isTerminal() {
        return sink.isTerminal
      },
      get columns() {
        return sink.columns
      },
      write: text => {
        if (this.#hide && sink.isTerminal) this.#hide()
        return sink.write(text)
      },
    }
  }
}
