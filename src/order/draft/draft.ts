/** An order as it stands in the input, right or wrong; or a fault of the input that is about no order. */
export interface Draft {
  /** What it says, as far as it can be read; `undefined` when nothing can. */
  readonly order: unknown
  /** JSON text of the order, as it is sent. */
  body(): string | Uint8Array
  /** Where the input holds it. */
  readonly source: Source
  /** What reading found wrong; what it says is judged by the rules all the same. */
  readonly broken?: readonly Breakage[]
  /** Whether a fault of the header has taken a field away, so that nothing can be said of it. @param pointer JSON pointer */
  isHidden?(pointer: string): boolean
  /** Whether it is about the input alone, and no order of it. */
  readonly isOfInput?: boolean
}

/** A part of the input, in bytes of its UTF-8 text without a byte order mark. */
export interface Stretch {
  readonly start: number
  /** Behind the last byte. */
  readonly end: number
}

/** A stretch of the input, and where to look inside it. */
export interface Spot extends Stretch {
  /** Where in the stretch the value stands, UTF-16 units from 0. */
  within(text: string): number
}

export interface Source {
  /** The parts of the input that the order was read from, in their order: rows of a table, or one JSON object. */
  listRanges(): Stretch[]
  /** @param pointer JSON pointer into the order; of a value that is not there, what should hold it */
  findSpot(pointer: string): Spot
  /** How a fault names the field: `lines[2].sku`, or the name of a column. */
  getField(pointer: string): string
}

export interface Breakage {
  readonly spot: Spot
  /** `orders`, `line.sku`; empty when it is about no field. */
  readonly field: string
  /** The rest of a sentence that begins with the field, or a whole one. */
  readonly message: string
  readonly value?: unknown
  /** Of the value, where it is one of the order's: the rules need not say it again. */
  readonly pointer?: string
  /** Where reading goes on behind it, `nowhere` when it does not; absent where nothing was passed over. */
  readonly readOn?: Spot | 'nowhere'
}

/** `lines/2/sku` → `lines[2].sku`, counted from 1. */
export function formatPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map(part => (/^\d+$/.test(part) ? `[${Number(part) + 1}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}
