import {SeededRandom} from './seeded-random.js'

/** Ids of one kind begin at this moment and grow by a second each, so that they sort in the order of their places. */
const BEGINNING_MS = Date.UTC(2024, 0, 1)
const STEP_MS = 1000

/** The moment of the thing at a place. */
export function seededMoment(place: number): Date {
  return new Date(BEGINNING_MS + place * STEP_MS)
}

/** Customers come first. */
const AFTER_CUSTOMERS_MS = 90 * 24 * 3600 * 1000

/** When the order at a place was made. */
export function orderedAt(place: number): Date {
  return new Date(seededMoment(place * 5).getTime() + AFTER_CUSTOMERS_MS)
}

/** The id of the thing at a place: a UUIDv7 that follows from seed, kind and place alone. */
export function seededId(seed: number, kind: string, place: number): string {
  const digits = new SeededRandom(seed, kind, place).hex(19)
  const time = (BEGINNING_MS + place * STEP_MS).toString(16).padStart(12, '0')
  const variant = '89ab'[Number.parseInt(digits[3] as string, 16) & 3]
  return `${time}7${digits.slice(0, 3)}${variant}${digits.slice(4)}`
}
