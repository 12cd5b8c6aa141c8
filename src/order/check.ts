import {Hints} from './hints.js'
import {locate, type Place} from './locate.js'
import type {Draft, Spot} from './read/draft.js'
import {draftsOf, type OrderInput} from './read/drafts.js'
import type {OrderSource} from './read/reading.js'
import {References, type Scratch} from './references.js'
import type {OrderRules} from './rules.js'

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
  readonly input: OrderInput
  readonly spot: Spot
  readonly field: string
  readonly message: string
  readonly got: unknown
  /** The order that has the same reference. */
  readonly first?: First
}

interface First {
  readonly input: OrderInput
  readonly spot: Spot
}

/**
 * Checks every order of the inputs, references among each other too. Memory does not grow with the inputs.
 *
 * @throws StorectlError `usage.input_changed`, and as `draftsOf` does
 */
export async function check(source: OrderSource, deps: CheckDeps): Promise<Checked> {
  const references = new References(deps.openScratch)
  const findings = new Findings(deps.mostFaults)
  let orders = 0
  for await (const {input, drafts} of draftsOfAll(source)) {
    deps.signal.throwIfAborted()
    for (const draft of drafts) {
      orders++
      for (const found of faultsIn(draft, source.reading.rules, deps.now)) findings.add({...found, input})
      const aside = references.add(referenceOf(draft) ?? `\u0000${orders}`)
      if (aside) await aside
    }
  }
  const isSuspect = await references.suspects()
  if (isSuspect) await findRepeated(source, isSuspect, findings)
  return {orders, faults: await described(source, findings.kept), faultCount: findings.count}
}

async function* draftsOfAll({inputs, reading}: OrderSource) {
  for (const input of inputs) for await (const drafts of draftsOf(input, reading)) yield {input, drafts}
}

class Findings {
  count = 0
  readonly kept: Found[] = []

  constructor(private readonly most: number) {}

  add(found: Found): void {
    if (this.count++ < this.most) this.kept.push(found)
  }
}

function* faultsIn(
  {broken, order, source}: Draft,
  rules: OrderRules,
  now: Date,
): Generator<Omit<Found, 'input'>> {
  if (broken) {
    for (const {spot, field, message, value} of broken) yield {spot, field, message, got: value}
    return
  }
  for (const {pointer, message, value} of rules.faultsOf(order, now)) {
    yield {spot: source.spot(pointer), field: source.fieldAt(pointer), message, got: value}
  }
}

function referenceOf({order}: Draft): string | undefined {
  const reference = (order as {reference?: unknown} | null | undefined)?.reference
  return typeof reference === 'string' ? reference : undefined
}

async function findRepeated(
  source: OrderSource,
  isSuspect: (reference: string) => boolean,
  findings: Findings,
): Promise<void> {
  const firsts = new Map<string, First>()
  for await (const {input, drafts} of draftsOfAll(source)) {
    for (const draft of drafts) {
      const reference = referenceOf(draft)
      if (reference === undefined || !isSuspect(reference)) continue
      const first = firsts.get(reference)
      const spot = draft.source.spot('/reference')
      if (!first) firsts.set(reference, {input, spot})
      else findings.add({input, spot, field: 'reference', message: REPEATED, got: reference, first})
    }
  }
}

const REPEATED = 'is the reference of another order already'

async function described({inputs}: OrderSource, found: readonly Found[]): Promise<InputFault[]> {
  const places = await placesOf(found)
  const hints = new Hints()
  const faults = found.map(({input, spot, field, message, got, first}) => {
    const place = places.get(spot) as Place
    const file = first && first.input !== input ? ` of ${first.input.name}` : ''
    const also = first ? `, in line ${places.get(first.spot)?.line}${file}` : ''
    return {
      at: inputs.indexOf(input),
      file: input.name,
      ...place,
      field,
      message: `${hints.added(message, got)}${also}`,
      got,
    }
  })
  return faults
    .sort((a, b) => a.at - b.at || a.line - b.line || a.column - b.column)
    .map(({at, ...fault}) => fault)
}

async function placesOf(found: readonly Found[]): Promise<Map<Spot, Place>> {
  const wanted = found.flatMap(({input, spot, first}) => (first ? [{input, spot}, first] : [{input, spot}]))
  const places = new Map<Spot, Place>()
  for (const input of new Set(wanted.map(each => each.input))) {
    const spots = wanted.filter(each => each.input === input).map(({spot}) => spot)
    for (const [at, place] of (await locate(input, spots)).entries()) places.set(spots[at] as Spot, place)
  }
  return places
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
