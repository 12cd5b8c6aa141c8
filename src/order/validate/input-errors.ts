import type {OrderInput, Spot} from '../draft/draft.js'
import {Hints} from './hints.js'
import {locate, type Place} from './source-position.js'

/** One thing that is wrong with an input. */
export interface InputFault extends Place {
  readonly file: string
  /** `shipTo.country`, `lines[2].sku`, or the name of a column; empty when it is about no field. */
  readonly field: string
  readonly message: string
  /** What stands there, `undefined` when nothing does. */
  readonly got: unknown
}

/** A fault, before it is known which line it stands in. */
export interface Found {
  /** Of the inputs, from 0. */
  readonly input: number
  readonly spot: Spot
  readonly field: string
  readonly message: string
  readonly got: unknown
  /** The order that has the same reference. */
  readonly first?: First
  /** Where the input is read again behind it, if something had to be passed over. */
  readonly readOn?: Spot | 'nowhere' | undefined
}

export interface First {
  readonly input: number
  readonly spot: Spot
}

/** The first faults of the inputs, in whatever order they are found, and how many there are. */
export class Findings {
  count = 0
  /** In the order of the inputs. */
  readonly kept: Found[] = []

  constructor(private readonly most: number) {}

  add(found: Found): void {
    this.count++
    const last = this.kept.at(-1)
    const isFull = this.kept.length >= this.most
    if (isFull && (!last || !isBefore(found, last))) return
    if (isFull) this.kept.pop()
    let at = this.kept.length
    while (at > 0 && isBefore(found, this.kept[at - 1] as Found)) at--
    this.kept.splice(at, 0, found)
  }
}

function isBefore(a: Found, b: Found): boolean {
  return a.input < b.input || (a.input === b.input && a.spot.start < b.spot.start)
}

/** The faults as people read them, in the order of the inputs. */
export async function describeInputErrors(
  inputs: readonly OrderInput[],
  found: readonly Found[],
): Promise<InputFault[]> {
  const places = await locateAll(inputs, found)
  const hints = new Hints()
  const faults = found.map(({input, spot, field, message, got, first, readOn}) => {
    const place = places.get(spot) as Place
    const file = first && first.input !== input ? ` of ${inputs[first.input]?.name}` : ''
    const also = first ? `, in line ${places.get(first.spot)?.line}${file}` : ''
    const next = readOn === undefined ? '' : `; ${describeContinuation(place, readOn, places)}`
    const said = `${hints.addHint(message, got)}${also}${next}`
    return {
      at: input,
      file: inputs[input]?.name ?? '',
      ...place,
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
  {line}: Place,
  readOn: Spot | 'nowhere',
  places: ReadonlyMap<Spot, Place>,
): string {
  if (readOn === 'nowhere') return `nothing from line ${line} on could be checked`
  return `reading goes on in line ${places.get(readOn)?.line}`
}

async function locateAll(inputs: readonly OrderInput[], found: readonly Found[]): Promise<Map<Spot, Place>> {
  const places = new Map<Spot, Place>()
  for (const [at, input] of inputs.entries()) {
    const spots = found.flatMap(each => listSpots(each, at))
    if (spots.length === 0) continue
    for (const [index, place] of (await locate(input, spots)).entries())
      places.set(spots[index] as Spot, place)
  }
  return places
}

function listSpots({input, spot, first, readOn}: Found, at: number): Spot[] {
  const own = readOn === undefined || readOn === 'nowhere' ? [spot] : [spot, readOn]
  return [...(input === at ? own : []), ...(first?.input === at ? [first.spot] : [])]
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

/** A value as it can be printed: what is nested deeper than any stack is left out. */
function makePrintable(value: unknown, levels = DEEPEST): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '…'
  if (Array.isArray(value)) return value.map(each => makePrintable(each, levels - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, makePrintable(each, levels - 1)]),
  )
}
