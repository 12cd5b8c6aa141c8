import {type Breakage, type Draft, pathOf, type Source, type Spot, type Stretch} from '../draft/draft.js'
import {hasErrorMembers, withoutErrorMembers} from './json-errors.js'
import {JsonFault, jsonPlaces} from './json-positions.js'
import {membersOf, repeatedMembers} from './json-repeats.js'
import {JsonSlicer, type Slice} from './json-slices.js'

/**
 * The orders of JSON: one, a list, or one after the other (NDJSON).
 *
 * @param pieces UTF-8 without a byte order mark
 * @param byLine whether each order is known to have a line of its own
 */
export async function* jsonDrafts(pieces: AsyncIterable<Buffer>, byLine: boolean): AsyncGenerator<Draft[]> {
  const slicer = new JsonSlicer(byLine)
  for await (const piece of pieces) {
    const drafts: Draft[] = []
    for (const slice of slicer.push(piece)) drafts.push(draftOf(slice))
    if (drafts.length > 0) yield drafts
  }
  const rest: Draft[] = []
  for (const slice of slicer.finish()) rest.push(draftOf(slice))
  if (rest.length > 0) yield rest
}

function draftOf(slice: Slice): Draft {
  const {bytes, problem, members} = slice
  const source = new JsonSource(slice)
  const body = () => bytes
  if (problem !== undefined) {
    const broken = [{spot: source.whole(), field: '', message: problem}]
    return {
      order: undefined,
      body,
      source,
      broken,
      isOfInput: bytes.length === 0 && slice.start === slice.end,
    }
  }
  const order = parsed(bytes)
  if (order === NO_JSON) return {order: undefined, body, source, broken: [breakageIn(slice, source)]}
  const broken = members === membersOf(order) ? [] : repeated(bytes, source)
  const draft = hasErrorMembers(order)
    ? {...withoutErrorMembers(order, bytes), source}
    : {order, body, source}
  return broken.length > 0 ? {...draft, broken} : draft
}

const NO_JSON = Symbol('no JSON')

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return NO_JSON
  }
}

function repeated(bytes: Buffer, source: JsonSource): Breakage[] {
  return repeatedMembers(bytes.toString('utf8'), place => source.at(place))
}

function breakageIn({bytes, isCutOff}: Slice, source: JsonSource): Breakage {
  const {message, at} = faultIn(bytes.toString('utf8'))
  return {spot: source.at(at), field: '', message, ...(isCutOff && {readOn: 'nowhere'})}
}

function faultIn(text: string): {message: string; at: number} {
  try {
    jsonPlaces(text)
  } catch (error) {
    if (error instanceof JsonFault) return error
    throw error
  }
  return {message: 'this is no JSON', at: 0}
}

class JsonSource implements Source {
  constructor(private readonly slice: Slice) {}

  stretches(): Stretch[] {
    const {start, end} = this.slice
    return [{start, end}]
  }

  whole(): Spot {
    return this.at(0)
  }

  at(place: number): Spot {
    const {start, end} = this.slice
    return {start, end, within: () => place}
  }

  spot(pointer: string): Spot {
    const {start, end} = this.slice
    return {start, end, within: text => nearestPlace(jsonPlaces(text), pointer)}
  }

  fieldAt(pointer: string): string {
    return pathOf(pointer)
  }
}

/** Of a member that is missing, its object. */
function nearestPlace(places: ReadonlyMap<string, number>, pointer: string): number {
  for (let path = pointer; ; path = path.slice(0, path.lastIndexOf('/'))) {
    const place = places.get(path)
    if (place !== undefined) return place
    if (path === '') return 0
  }
}
