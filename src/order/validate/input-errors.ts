import type {OrderInput, SourceSpan} from '../draft/draft.js'
import {Hints} from './hints.js'
import {locate, type SourcePosition} from './source-position.js'

/** One error of an input. */
export interface InputFault extends SourcePosition {
  readonly file: string
  /** `shipTo.country`, `lines[2].sku`, or the name of a column; empty when it is about no field. */
  readonly field: string
  readonly message: string
  /** The value there, `undefined` for none. */
  readonly got: unknown
}

/** An error whose line is not known yet. */
export interface FoundFault {
  /** Of the inputs, from 0. */
  readonly input: number
  readonly span: SourceSpan
  readonly field: string
  readonly message: string
  readonly got: unknown
  /** The order that has the same reference. */
  readonly first?: First | undefined
  /** Text after its line. */
  readonly advice?: string | undefined
  /** Where reading continues after it, if something was skipped. */
  readonly readOn?: SourceSpan | 'nowhere' | undefined
}

export interface First {
  readonly input: number
  readonly span: SourceSpan
}

/** The first faults of the inputs, in whatever order they are found, and how many there are. */
export class Findings {
  count = 0
  /** In the order of the inputs. */
  readonly kept: FoundFault[] = []

  constructor(private readonly most: number) {}

  add(found: FoundFault): void {
    this.count++
    const last = this.kept.at(-1)
    const isFull = this.kept.length >= this.most
    if (isFull && (!last || !isBefore(found, last))) return
    if (isFull) this.kept.pop()
    let at = this.kept.length
    while (at > 0 && isBefore(found, this.kept[at - 1] as FoundFault)) at--
    this.kept.splice(at, 0, found)
  }
}

function isBefore(a: FoundFault, b: FoundFault): boolean {
  return a.input < b.input || (a.input === b.input && a.span.start < b.span.start)
}

/** The faults as people read them, in the order of the inputs. */
export async function describeInputErrors(
  inputs: readonly OrderInput[],
  found: readonly FoundFault[],
): Promise<InputFault[]> {
  const positions = await locateAll(inputs, found)
  const hints = new Hints()
  const faults = found.map(({input, span, field, message, got, first, advice, readOn}) => {
    const position = positions.get(span) as SourcePosition
    const file = first && first.input !== input ? ` of ${inputs[first.input]?.name}` : ''
    const also = first ? `, in line ${positions.get(first.span)?.line}${file}` : ''
    const next = readOn === undefined ? '' : `; ${describeContinuation(position, readOn, positions)}`
    const said = `${hints.addHint(message, got)}${also}${advice === undefined ? '' : `; ${advice}`}${next}`
    return {
      at: input,
      file: inputs[input]?.name ?? '',
      ...position,
      field,
      message: said,
      got: makePrintable(got),
    }
  })
  return faults
    .sort((a, b) => a.at - b.at || a.line - b.line || a.column - b.column)
    .map(({at, ...fault}) => fault)
}

function describeContinuation(
  {line}: SourcePosition,
  readOn: SourceSpan | 'nowhere',
  positions: ReadonlyMap<SourceSpan, SourcePosition>,
): string {
  if (readOn === 'nowhere') return `nothing from line ${line} on was checked`
  return `reading continues in line ${positions.get(readOn)?.line}`
}

async function locateAll(
  inputs: readonly OrderInput[],
  found: readonly FoundFault[],
): Promise<Map<SourceSpan, SourcePosition>> {
  const positions = new Map<SourceSpan, SourcePosition>()
  for (const [at, input] of inputs.entries()) {
    const spans = found.flatMap(each => listSpans(each, at))
    if (spans.length === 0) continue
    for (const [index, position] of (await locate(input, spans)).entries())
      positions.set(spans[index] as SourceSpan, position)
  }
  return positions
}

function listSpans({input, span, first, readOn}: FoundFault, at: number): SourceSpan[] {
  const own = readOn === undefined || readOn === 'nowhere' ? [span] : [span, readOn]
  return [...(input === at ? own : []), ...(first?.input === at ? [first.span] : [])]
}

/** A fault as a line of text: `orders.csv:3:12 shipTo.country: must be … (got "Germany")`. */
export function formatFaultLine({file, line, column, field, message, got}: InputFault): string {
  const where = `${file}:${line}:${column}${field === '' ? '' : ` ${field}`}`
  return `${where}: ${message}${got === undefined ? '' : ` (got ${shortenValue(got)})`}`
}

const LONGEST_VALUE = 60

function shortenValue(value: unknown): string {
  const text = [...JSON.stringify(value).slice(0, 4 * LONGEST_VALUE)]
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE).join('')}…` : text.join('')
}

const DEEPEST = 100

/** A printable value: parts nested too deeply for the stack are left out. */
function makePrintable(value: unknown, levels = DEEPEST): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '…'
  if (Array.isArray(value)) return value.map(each => makePrintable(each, levels - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, makePrintable(each, levels - 1)]),
  )
}
