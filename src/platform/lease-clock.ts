import {readFileSync} from 'node:fs'

/** Longer than any machine's uptime, milliseconds. */
const BETWEEN_STARTS_MS = 2 ** 36

/** The bits of the boot id that are used: SQLite treats numbers of 2^51 and more as not whole. */
const START_BITS = 0x7fff

const NS_PER_MS = 1_000_000n

/**
 * Milliseconds for leases among the processes of this machine: monotonic, whatever its clock is set to, and far from
 * those of an earlier boot. Without a boot id, the system clock.
 *
 * @see clock_gettime(2), CLOCK_MONOTONIC: the same in all processes
 */
export function openLeaseClock(startFile = '/proc/sys/kernel/random/boot_id'): () => number {
  try {
    const start = Number.parseInt(readFileSync(startFile, 'latin1').slice(0, 4), 16) & START_BITS
    return () => start * BETWEEN_STARTS_MS + Number(process.hrtime.bigint() / NS_PER_MS)
  } catch {
    return Date.now
  }
}
