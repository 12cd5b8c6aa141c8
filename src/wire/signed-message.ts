/** The reversed polynomial of CRC-32. @see ISO 3309 */
const POLYNOMIAL = 0xedb88320

const TABLE = Uint32Array.from({length: 256}, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
  return value
})

/** The CRC-32 of bytes, unsigned. Node has one from 22.2 on. */
export function computeCrc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** The signed parts of a transmission. */
export interface Transmission {
  readonly id: string
  /** As in its header. */
  readonly time: string
  /** CRC-32 of the body. */
  readonly checksum: number
}

/** The text that the provider signs. @see protocol.md §4.7 */
export function formatSignedMessage({id, time, checksum}: Transmission, webhookId: string): string {
  return `${id}|${time}|${webhookId}|${checksum}`
}

/** The algorithm of every signature: RSASSA-PKCS1-v1_5 with SHA-256. @see RFC 8017 §8.2 */
export const SIGNATURE_ALGORITHM = 'SHA256withRSA'
