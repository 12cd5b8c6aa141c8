import type {EventFault, OwnShop, Read, ReadEvent} from '../../../src/webhook/import/read-captured.js'
import {type EventFile, readEvents} from '../../../src/webhook/import/read-events.js'

const SHOP: OwnShop = {
  tokenPrefix: 'sw',
  isOwnWebhook: address => address.startsWith('https://shop.example/'),
}

/** What a file came to. */
export interface WasRead {
  readonly events: readonly ReadEvent[]
  /** Bodies of the events as text. */
  readonly bodies: readonly string[]
  readonly faults: readonly EventFault[]
  readonly passedOver: number
}

/** Reads a whole file, which arrives in pieces of a size. It was read at the beginning of 1970. */
export async function readAll(
  content: string | Uint8Array,
  {pieceBytes = 1 << 20, format}: {pieceBytes?: number; format?: EventFile['format']} = {},
): Promise<WasRead> {
  const bytes = Buffer.from(content)
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
  }
  const all: Read[] = []
  for await (const each of readEvents({name: 'f', chunks: chunks(), format}, () => new Date(0), SHOP))
    all.push(each)
  const events = all.filter((each): each is ReadEvent => 'event' in each)
  return {
    events,
    bodies: events.map(({event}) => Buffer.from(event.body).toString()),
    faults: all.flatMap(each => ('fault' in each ? [each.fault] : [])),
    passedOver: all.filter(each => 'passedOver' in each).length,
  }
}

/** Stands in a value for a body, which `writeAround` writes as it is. */
export const HERE = '@body@'

/** A value as JSON, in which a body stands as an object, byte for byte. */
export function writeAround(value: unknown, body: string, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(`"${HERE}"`, () => body)
}

/** JSON without the blanks between its parts; spelling and strings stay. */
export function compactJson(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string?: string) => string ?? '')
}
