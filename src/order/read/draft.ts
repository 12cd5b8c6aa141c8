/** An order as it stands in the input, right or wrong. */
export interface Draft {
  /** What it says; `undefined` when it cannot be read. */
  readonly order: unknown
  /** JSON text of the order, as it is sent. */
  body(): string | Uint8Array
  /** Where the input holds it. */
  readonly source: Source
  /** What keeps it from being read at all. */
  readonly broken?: readonly Breakage[]
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
  stretches(): Stretch[]
  /** @param pointer JSON pointer into the order; of a value that is not there, what should hold it */
  spot(pointer: string): Spot
  /** How a fault names the field: `lines[2].sku`, or the name of a column. */
  fieldAt(pointer: string): string
}

export interface Breakage {
  readonly spot: Spot
  /** `orders`, `line.sku`; empty when it is about no field. */
  readonly field: string
  /** The rest of a sentence that begins with the field, or a whole one. */
  readonly message: string
  readonly value?: unknown
}

/** `lines/2/sku` → `lines[2].sku`, counted from 1. */
export function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map(part => (/^\d+$/.test(part) ? `[${Number(part) + 1}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}
