/** Hex digits of each byte. */
const HEX = Array.from({length: 256}, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Deterministic random numbers: the same seed, kind and position give the same ones everywhere. */
export class SeededRandom {
  #state: number

  /** @param kind what is created, so that customer 7 and order 7 have nothing in common */
  constructor(seed: number, kind: string, ordinal: number) {
    let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(ordinal + 0x7f4a7c15, 0xc2b2ae35)
    for (let index = 0; index < kind.length; index++)
      state = Math.imul(state ^ kind.charCodeAt(index), 0x01000193)
    this.#state = state
  }

  /** 0 to 2³²−1. @see splitmix32 */
  drawNumber(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    let mixed = this.#state ^ (this.#state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }

  /** 0 to `below` − 1. */
  drawBelow(below: number): number {
    return Math.floor((this.drawNumber() / 0x1_0000_0000) * below)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.drawBelow(list.length)] as T
  }

  /** True once in `times`, on average. */
  drawOnceIn(times: number): boolean {
    return this.drawBelow(times) === 0
  }

  /** Text of `length` characters from an alphabet. */
  drawText(alphabet: string, length: number): string {
    let text = ''
    while (text.length < length) text += alphabet[this.drawBelow(alphabet.length)]
    return text
  }

  drawHex(length: number): string {
    let digits = ''
    while (digits.length < length) {
      const number = this.drawNumber()
      for (let shift = 24; shift >= 0; shift -= 8) digits += HEX[(number >>> shift) & 0xff]
    }
    return digits.slice(0, length)
  }
}

/** Ids of one kind begin at this time and advance by a second each, so that they sort in the order of positions. */
const BEGINNING_MS = Date.UTC(2024, 0, 1)
const STEP_MS = 1000

/** The time of the row at a position. */
export function deriveMoment(ordinal: number): Date {
  return new Date(BEGINNING_MS + ordinal * STEP_MS)
}

/** Orders begin after all customers. */
const AFTER_CUSTOMERS_MS = 90 * 24 * 3600 * 1000

/** When the order at a position was created. */
export function deriveOrderTime(ordinal: number): Date {
  return new Date(deriveMoment(ordinal * 5).getTime() + AFTER_CUSTOMERS_MS)
}

/** The id of the row at a position: a UUIDv7 that follows from seed, kind and position alone. */
export function deriveSeededId(seed: number, kind: string, ordinal: number): string {
  const digits = new SeededRandom(seed, kind, ordinal).drawHex(19)
  const time = (BEGINNING_MS + ordinal * STEP_MS).toString(16).padStart(12, '0')
  const variant = '89ab'[Number.parseInt(digits[3] as string, 16) & 3]
  return `${time}7${digits.slice(0, 3)}${variant}${digits.slice(4)}`
}
