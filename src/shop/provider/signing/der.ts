/** Tags of ASN.1 that certificates use. @see ITU-T X.690 §8 */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** Explicit tags `[0]` and `[3]`. */
  explicit0: 0xa0,
  explicit3: 0xa3,
} as const

/** A value with its tag and length. */
export function encodeValue(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), encodeLength(content.length), content])
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(
    length.toString(16).padStart(length > 0xffff ? 6 : length > 0xff ? 4 : 2, '0'),
    'hex',
  )
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

/** An object identifier: `2.5.29.19`. */
export function encodeObjectId(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number)
  return encodeValue(TAG.objectId, Buffer.from([first * 40 + second, ...others.flatMap(encodeArc)]))
}

/** Seven bits a byte, the highest bit set in all but the last. */
function encodeArc(arc: number): number[] {
  const bytes = [arc & 0x7f]
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

/** A positive number from its bytes, the highest first. */
export function encodeInteger(bytes: Uint8Array): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0
  return encodeValue(TAG.integer, ...(isNegative ? [Buffer.from([0])] : []), bytes)
}

/** UTC, to the second. */
export function encodeTime(at: Date): Buffer {
  const digits = at.toISOString().slice(0, '0000-00-00T00:00:00'.length).replace(/[-:T]/g, '')
  return encodeValue(TAG.generalizedTime, Buffer.from(`${digits}Z`))
}

/** Whole bytes as a bit string. */
export function encodeBits(bytes: Uint8Array): Buffer {
  return encodeValue(TAG.bitString, Buffer.from([0]), bytes)
}
