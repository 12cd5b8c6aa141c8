import {faultsOf} from '../wire/fulfillment-order/faults.js'
import {locate, type Place} from './locate.js'
import type {Draft, Spot} from './read/draft.js'
import {draftsOf, type OrderInput} from './read/drafts.js'
import {References, type Scratch} from './references.js'

/** One thing that is wrong with an input. */
export interface InputFault extends Place {
  readonly file: string
  /** `shipTo.country`, `lines[2].sku`, or the name of a column; empty when it is about no field. */
  readonly field: string
  readonly message: string
  /** What stands there, `undefined` when nothing does. */
  readonly got: unknown
}

export interface Checked {
  /** Orders in the input, right or wrong. */
  readonly orders: number
  /** In the order of the input; no more than were asked for. */
  readonly faults: readonly InputFault[]
  /** How many there are in all. */
  readonly faultCount: number
}

export interface CheckDeps {
  readonly now: Date
  readonly openScratch: () => Promise<Scratch>
  /** Faults that are described; all are counted. */
  readonly mostFaults: number
  readonly signal: AbortSignal
}

interface Found {
  readonly spot: Spot
  readonly field: string
  readonly message: string
  readonly got: unknown
  /** The order that has the same reference. */
  readonly first?: Spot
}

/**
 * Checks every order of an input, references among each other too. Memory does not grow with the input.
 *
 * @throws StorectlError `usage.encoding`, `usage.gzip`, `usage.input_changed`
 */
export async function check(input: OrderInput, deps: CheckDeps): Promise<Checked> {
  const references = new References(deps.openScratch)
  const findings = new Findings(deps.mostFaults)
  let orders = 0
  for await (const drafts of draftsOf(input)) {
    deps.signal.throwIfAborted()
    for (const draft of drafts) {
      orders++
      for (const found of faultsIn(draft, deps.now)) findings.add(found)
      const aside = references.add(referenceOf(draft) ?? `\u0000${orders}`)
      if (aside) await aside
    }
  }
  const isSuspect = await references.suspects()
  if (isSuspect) await findRepeated(input, isSuspect, findings)
  return {orders, faults: await described(input, findings.kept), faultCount: findings.count}
}

class Findings {
  count = 0
  readonly kept: Found[] = []

  constructor(private readonly most: number) {}

  add(found: Found): void {
    if (this.count++ < this.most) this.kept.push(found)
  }
}

function* faultsIn({broken, order, source}: Draft, now: Date): Generator<Found> {
  if (broken) {
    for (const {spot, field, message, value} of broken) yield {spot, field, message, got: value}
    return
  }
  for (const {pointer, message, value} of faultsOf(order, now)) {
    yield {spot: source.spot(pointer), field: source.fieldAt(pointer), message, got: value}
  }
}

function referenceOf({order}: Draft): string | undefined {
  const reference = (order as {reference?: unknown} | null | undefined)?.reference
  return typeof reference === 'string' ? reference : undefined
}

async function findRepeated(
  input: OrderInput,
  isSuspect: (reference: string) => boolean,
  findings: Findings,
): Promise<void> {
  const firsts = new Map<string, Spot>()
  for await (const drafts of draftsOf(input)) {
    for (const draft of drafts) {
      const reference = referenceOf(draft)
      if (reference === undefined || !isSuspect(reference)) continue
      const first = firsts.get(reference)
      const spot = draft.source.spot('/reference')
      if (!first) firsts.set(reference, spot)
      else findings.add({spot, field: 'reference', message: REPEATED, got: reference, first})
    }
  }
}

const REPEATED = 'is the reference of another order already'

async function described(input: OrderInput, found: readonly Found[]): Promise<InputFault[]> {
  if (found.length === 0) return []
  const firsts = found.flatMap(({first}) => (first ? [first] : []))
  const places = await locate(input, [...found.map(({spot}) => spot), ...firsts])
  let next = found.length
  const faults = found.map(({field, message, got, first}, at) => {
    const also = first ? `, in line ${places[next++]?.line}` : ''
    return {file: input.name, ...(places[at] as Place), field, message: `${message}${also}`, got}
  })
  return faults.sort((a, b) => a.line - b.line || a.column - b.column)
}

/** A fault as a line of text: `orders.csv:3:12 shipTo.country: must be … (got "Germany")`. */
export function faultLine({file, line, column, field, message, got}: InputFault): string {
  const where = `${file}:${line}:${column}${field === '' ? '' : ` ${field}`}`
  return `${where}: ${message}${got === undefined ? '' : ` (got ${shortened(got)})`}`
}

const LONGEST_VALUE = 60

function shortened(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}
