import type {Shape} from '../../wire/fulfillment-order/field-rules.js'

/** An input of orders, readable any number of times. */
export interface OrderInput {
  /** For messages: `orders.csv`, `stdin`. */
  readonly name: string
  /** As `parseEncoding` names it; absent if the beginning shows it. */
  readonly encoding?: string | undefined
  read(): AsyncIterable<Buffer>
}

/** An order as in the input, valid or not; or an error of the input that belongs to no order. */
export interface Draft {
  /** Its value, as far as it can be read; `undefined` if nothing can. */
  readonly order: unknown
  /** JSON text of the order, as it is sent. */
  renderBody(): string | Uint8Array
  /** Its position in the input. */
  readonly source: DraftSource
  /** Errors found while reading; the rules still check its value. */
  readonly broken?: readonly ParseError[] | undefined
  /** Warnings: a person should check these, though they may be intended. */
  readonly warnings?: readonly ParseError[]
  /** Whether an error of the header hides a field, so that it cannot be checked. @param pointer JSON pointer */
  readonly isHidden?: ((pointer: string) => boolean) | undefined
  /** Whether it is only about the input, not about an order. */
  readonly isOfInput?: boolean
}

/** A part of the input, in bytes of its UTF-8 text without a byte order mark. */
export interface ByteRange {
  readonly start: number
  /** Behind the last byte. */
  readonly end: number
}

/** A range of the input, and a position inside it. */
export interface SourceSpan extends ByteRange {
  /** The position of the value in the range, UTF-16 units from 0. */
  locateIn(text: string): number
}

export interface DraftSource {
  /** The parts of the input that hold the order, in order: rows of a table, or one JSON object. */
  listRanges(): ByteRange[]
  /** @param pointer JSON pointer into the order; for a missing value, its parent */
  findSpan(pointer: string): SourceSpan
  /** How an error names the field: `lines[2].sku`, or the name of a column. */
  getField(pointer: string): string
  /** Whether it consists of rows of a table, which must follow each other to be one order. */
  readonly isOfRows?: boolean
}

export interface ParseError {
  readonly span: SourceSpan
  /** `orders`, `line.sku`; empty when it is about no field. */
  readonly field: string
  /** The rest of a sentence that begins with the field, or a whole one. */
  readonly message: string
  readonly value?: unknown
  /** Of the value, if it is the order's: the rules need not report it again. */
  readonly pointer?: string
  /** Another line that the message is about. */
  readonly other?: SourceSpan
  /** Where reading continues after it, `nowhere` if it does not; absent if nothing was skipped. */
  readonly readOn?: SourceSpan | 'nowhere'
}

/** An error that prevents an order from being sent. */
export interface RuleFault {
  /** JSON pointer into the order. @see RFC 6901 */
  readonly pointer: string
  /** The rest of a sentence that begins with the field. */
  readonly message: string
  /** The value there, `undefined` for none. */
  readonly value: unknown
}

/** An order that is valid by some rules. */
export interface ValidOrder {
  readonly reference: string
  readonly [field: string]: unknown
}

/** The rules of an order. */
export interface OrderRules {
  /** Everything that is wrong with an order, in the order of its fields. */
  findFaults(order: unknown, now: Date): RuleFault[]
  /** Normalizes an order from JSON for the rules. @returns whether it was changed */
  normalize?(order: unknown): boolean
  /** Whether doubtful values found while reading count: a repeated name, a truncated number. */
  appliesTo(pointer: string): boolean
  /** A hash, equal for orders with the same content. @returns 64 lower-case hex digits */
  hashContent(order: ValidOrder): string
  /** The order as the shop stores it, and what the shop may leave out; `all` if any other field is different content. */
  toStoredOrder(order: ValidOrder): {readonly order: Readonly<Record<string, unknown>>; readonly all: boolean}
  /** The fields that columns of a table may fill; `undefined` if there are no tables. */
  readonly shape: Shape | undefined
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
