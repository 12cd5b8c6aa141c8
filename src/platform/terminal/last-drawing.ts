import {Writable} from 'node:stream'
import {type Drawing, refreshSize} from './suspension.js'

/** What inquirer writes before it redraws a question: it moves to the first line, and erases it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal obeys
const WAY_BACK = /^(?:\u001b\[(?:\d*[ABG]|2K))*/
const ERASE_BELOW = '\u001b[J'
const SHOW_CURSOR = '\u001b[?25h'

/** A terminal that can redraw the last question. */
export class LastDrawing extends Writable implements Drawing {
  readonly isTTY = true
  #drawn = ''

  constructor(private readonly terminal: NodeJS.WriteStream) {
    super({decodeStrings: false})
  }

  get columns(): number {
    return this.terminal.columns
  }

  override _write(text: string, _encoding: string, done: () => void): void {
    this.terminal.write(text)
    const drawn = text.replace(WAY_BACK, '')
    // A write without text only moves the cursor.
    this.#drawn = drawn === '' ? this.#drawn + text : drawn
    done()
  }

  leave(): void {
    this.terminal.write(`${ERASE_BELOW}${SHOW_CURSOR}\n`)
  }

  drawAgain(): void {
    refreshSize()
    this.terminal.write(`\r${ERASE_BELOW}${this.#drawn}`)
  }
}
