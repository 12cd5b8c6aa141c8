import type {ReadingFlags} from '../../src/flags/order-flags.js'
import type {ReadOptions} from '../../src/order/draft/read-options.js'
import {check, formatFaultLine} from '../../src/order/validate/check-orders.js'
import {CONTRACT} from '../../src/order/validate/order-rules.js'
import {resolveReadOptions} from '../../src/order/validate/submit-read-options.js'

/** By our own contract, as it stands. */
export const PLAIN: ReadOptions = {rules: CONTRACT, renamed: new Map(), settings: []}

/** The moment that orders are checked at. */
export const NOW = new Date('2026-11-21T12:00:00Z')

export const HEADER =
  'reference,shipTo.name,shipTo.street,shipTo.postalCode,shipTo.city,shipTo.country,line.sku,line.quantity'

/** A row of a good order, with other cells where they are given. */
export function rowOf(reference: string, other: {[column: string]: string} = {}): string {
  const cells = {
    name: 'Ada',
    street: 'Weg 1',
    code: '01067',
    city: 'Dresden',
    country: 'DE',
    sku: 'X',
    quantity: '2',
  }
  return [reference, ...Object.values({...cells, ...other})].join(',')
}

/** A table of rows below the header. */
export function tableOf(...rows: string[]): string {
  return [HEADER, ...rows, ''].join('\n')
}

export interface CheckedText {
  readonly name?: string
  readonly asked?: Partial<ReadingFlags>
  /** Texts of files by their names. */
  readonly files?: Readonly<Record<string, string>>
  readonly pieceBytes?: number
  readonly mostFaults?: number
}

/** Checks an input that stands in memory, by flags as they are given. @returns its faults as lines of text */
export async function checked(content: string | Buffer, given: CheckedText = {}) {
  const {name = 'orders.csv', asked, files = {}, pieceBytes = 1 << 16, mostFaults = 100} = given
  const bytes = Buffer.from(content as string)
  const input = {
    ...{name, encoding: asked?.encoding},
    async *read() {
      for (let at = 0; at < bytes.length; at += pieceBytes)
        yield Buffer.from(bytes.subarray(at, at + pieceBytes))
    },
  }
  const plain = {set: [], map: [], schema: undefined, raw: false}
  const reading = await resolveReadOptions({...plain, ...asked}, async path => files[path] ?? '')
  const deps = {
    now: NOW,
    mostFaults,
    signal: new AbortController().signal,
    openScratch: () => Promise.reject(new Error('nothing is put aside here')),
  }
  const {faults, ...counts} = await check({inputs: [input], reading}, deps)
  return {...counts, lines: faults.map(formatFaultLine)}
}
