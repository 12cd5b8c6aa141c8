import {usageError} from '../errors.js'

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kib: 1024,
  mib: 1024 ** 2,
  k: 1024,
  m: 1024 ** 2,
}

/** More would not fit into the text that a body becomes. */
const MOST_BYTES = 256 * 1024 ** 2

/**
 * Reads a size: `10MiB`, `512KiB`, `64k`, `1000000`.
 *
 * @throws StorectlError `usage.size` for anything else, for nothing and for more than 256 MiB
 */
export function byteSize(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})(b|kib|mib|k|m|)$/i.exec(text.trim()) ?? []
  const bytes = Number(amount) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
  if (bytes >= 1 && bytes <= MOST_BYTES) return bytes
  throw usageError('size', `"${text}" is no size: write 10MiB, 512KiB or a number of bytes, up to 256MiB.`)
}
