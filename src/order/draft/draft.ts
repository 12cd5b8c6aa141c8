import type {Shape} from '../../wire/fulfillment-order/field-rules.js'

/** Something to read orders from, as often as is needed. */
export interface OrderInput {
  /** For messages: `orders.csv`, `stdin`. */
  readonly name: string
  /** As `parseEncoding` names it; absent where its beginning tells. */
  readonly encoding?: string | undefined
  read(): AsyncIterable<Buffer>
}

/** An order as it stands in the input, right or wrong; or a fault of the input that is about no order. */
export interface Draft {
  /** What it says, as far as it can be read; `undefined` when nothing can. */
  readonly order: unknown
  /** JSON text of the order, as it is sent. */
  renderBody(): string | Uint8Array
  /** Where the input holds it. */
  readonly source: DraftSource
  /** What reading found wrong; what it says is judged by the rules all the same. */
  readonly broken?: readonly ParseError[] | undefined
  /** What a person should look at, though it may be meant. */
  readonly warnings?: readonly ParseError[]
  /** Whether a fault of the header has taken a field away, so that nothing can be said of it. @param pointer JSON pointer */
  readonly isHidden?: ((pointer: string) => boolean) | undefined
  /** Whether it is about the input alone, and no order of it. */
  readonly isOfInput?: boolean
}

/** A part of the input, in bytes of its UTF-8 text without a byte order mark. */
export interface ByteRange {
  readonly start: number
  /** Behind the last byte. */
  readonly end: number
}

/** A stretch of the input, and where to look inside it. */
export interface SourceSpan extends ByteRange {
  /** Where in the stretch the value stands, UTF-16 units from 0. */
  locateIn(text: string): number
}

export interface DraftSource {
  /** The parts of the input that the order was read from, in their order: rows of a table, or one JSON object. */
  listRanges(): ByteRange[]
  /** @param pointer JSON pointer into the order; of a value that is not there, what should hold it */
  findSpan(pointer: string): SourceSpan
  /** How a fault names the field: `lines[2].sku`, or the name of a column. */
  getField(pointer: string): string
  /** Whether it is rows of a table, which have to follow each other to be one order. */
  readonly isOfRows?: boolean
}

export interface ParseError {
  readonly span: SourceSpan
  /** `orders`, `line.sku`; empty when it is about no field. */
  readonly field: string
  /** The rest of a sentence that begins with the field, or a whole one. */
  readonly message: string
  readonly value?: unknown
  /** Of the value, where it is one of the order's: the rules need not say it again. */
  readonly pointer?: string
  /** Another line that the message is about. */
  readonly other?: SourceSpan
  /** Where reading goes on behind it, `nowhere` when it does not; absent where nothing was passed over. */
  readonly readOn?: SourceSpan | 'nowhere'
}

/** One thing that keeps an order from being sent. */
export interface RuleFault {
  /** JSON pointer into the order. @see RFC 6901 */
  readonly pointer: string
  /** The rest of a sentence that begins with the field. */
  readonly message: string
  /** What stands there, `undefined` when nothing does. */
  readonly value: unknown
}

/** An order without faults, by whatever rules. */
export interface ValidOrder {
  readonly reference: string
  readonly [field: string]: unknown
}

/** What an order has to be. */
export interface OrderRules {
  /** Everything that is wrong with an order, in the order of its fields. */
  findFaults(order: unknown, now: Date): RuleFault[]
  /** Writes an order that was JSON as the rules take it. @returns whether it was changed */
  normalize?(order: unknown): boolean
  /** Whether it counts that a value was found doubtful while it was read: a name that stands twice, a number cut short. */
  appliesTo(pointer: string): boolean
  /** The same for two orders that say the same. @returns 64 lower-case hex digits */
  hashContent(order: ValidOrder): string
  /** The order as the shop keeps it, with what it may leave out; `all` when whatever the shop shows beside it is another content. */
  toStoredOrder(order: ValidOrder): {readonly order: Readonly<Record<string, unknown>>; readonly all: boolean}
  /** What the columns of a table may fill; `undefined` where there are no tables. */
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
