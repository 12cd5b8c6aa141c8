/** Sequences that move the cursor or erase, line ends, and runs of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal obeys
const PIECE = /\u001b\[[0-9;?]*[A-Za-z]|\u001b[78]|[\r\n]|[^\u001b\r\n]+/gu

/**
 * A terminal as a person sees it: text wraps at its width, lines scroll away at its height, a saved cursor is a place on
 * the screen and not in the text. A narrower terminal wraps the lines that it shows again.
 */
export class Screen {
  #scrolled: string[] = []
  #rows: string[] = ['']
  #scrolledStyles: string[][] = []
  #styles: string[][] = [[]]
  #style = ''
  #row = 0
  #column = 0
  #saved: readonly [row: number, column: number] = [0, 0]
  #rest = ''
  #other: {rows: string[]; styles: string[][]; row: number; column: number} | undefined

  constructor(
    private columns: number,
    private height: number,
  ) {}

  get lines(): string[] {
    return [...this.#scrolled, ...this.#rows].map(line => line.trimEnd())
  }

  /** For each line, the codes of the style that each character has (`1;31`), empty where it has none. */
  get styles(): readonly (readonly string[])[] {
    return [...this.#scrolledStyles, ...this.#styles]
  }

  write(text: string): void {
    const whole = this.#rest + text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of a sequence
    const open = /\u001b(\[[0-9;?]*)?$/.exec(whole)
    this.#rest = open?.[0] ?? ''
    for (const [piece] of whole.slice(0, whole.length - this.#rest.length).matchAll(PIECE)) this.#obey(piece)
  }

  resize(columns: number, height: number): void {
    const before = this.#rows
    const row = this.#row
    this.columns = columns
    this.height = height
    this.#rows = []
    for (const [at, line] of before.entries()) {
      if (at === row) this.#row = this.#rows.length
      for (let from = 0; from === 0 || from < line.trimEnd().length; from += columns)
        this.#rows.push(line.trimEnd().slice(from, from + columns))
    }
    this.#styles = this.#rows.map(() => [])
    this.#column = Math.min(this.#column, columns - 1)
    this.#scroll()
  }

  #obey(piece: string): void {
    if (piece === '\r') this.#column = 0
    else if (piece === '\n') this.#feedLine()
    else if (piece === '\u001b7') this.#saved = [this.#row, this.#column]
    else if (piece === '\u001b8') [this.#row, this.#column] = this.#saved
    else if (piece.startsWith('\u001b')) this.#obeySequence(piece.slice(2, -1), piece.at(-1))
    else for (const letter of piece) this.#put(letter)
  }

  #obeySequence(value: string, command = ''): void {
    const line = this.#rows[this.#row] ?? ''
    const count = Number(value || 1)
    if (command === 'm') this.#setStyle(value)
    if (command === 'J') {
      this.#rows.length = this.#row + 1
      this.#styles.length = this.#row + 1
    }
    if ((command === 'J' || command === 'K') && value !== '2')
      this.#rows[this.#row] = line.slice(0, this.#column)
    if (command === 'K' && value === '2') this.#rows[this.#row] = ''
    if (command === 'G') this.#column = count - 1
    if (command === 'H') [this.#row, this.#column] = [0, 0]
    if (value === '?1049') this.#switchScreen(command === 'h')
    if (command === 'A') this.#row = Math.max(0, this.#row - count)
  }

  /** The alternate screen is empty and scrolls nothing away; the one before comes back as it was. */
  #switchScreen(toAlternate: boolean): void {
    const before = this.#other
    if (toAlternate) {
      this.#other = {rows: this.#rows, styles: this.#styles, row: this.#row, column: this.#column}
      this.#rows = ['']
      this.#styles = [[]]
      this.#row = 0
    } else if (before) {
      this.#rows = before.rows
      this.#styles = before.styles
      this.#row = before.row
      this.#column = before.column
      this.#other = undefined
    }
  }

  /** Codes add up until 0, or the one that ends what they began. */
  #setStyle(value: string): void {
    if (value === '' || value === '0') this.#style = ''
    else if (['22', '27', '39'].includes(value)) {
      const ended = value === '22' ? /^[12]$/ : value === '27' ? /^7$/ : /^[39]\d$/
      this.#style = this.#style
        .split(';')
        .filter(code => !ended.test(code))
        .join(';')
    } else this.#style = this.#style === '' ? value : `${this.#style};${value}`
  }

  #put(letter: string): void {
    if (this.#column >= this.columns) {
      this.#column = 0
      this.#feedLine()
    }
    const line = (this.#rows[this.#row] ?? '').padEnd(this.#column)
    this.#rows[this.#row] = line.slice(0, this.#column) + letter + line.slice(this.#column + 1)
    const styles = this.#styles[this.#row] ?? []
    styles[this.#column] = this.#style
    this.#styles[this.#row] = styles
    this.#column++
  }

  #feedLine(): void {
    this.#row++
    if (this.#row === this.#rows.length) {
      this.#rows.push('')
      this.#styles[this.#row] = []
    }
    this.#scroll()
  }

  #scroll(): void {
    while (this.#rows.length > this.height) {
      const [line = '', styles = []] = [this.#rows.shift(), this.#styles.shift()]
      if (!this.#other) {
        this.#scrolled.push(line)
        this.#scrolledStyles.push(styles)
      }
      this.#row--
    }
  }
}
