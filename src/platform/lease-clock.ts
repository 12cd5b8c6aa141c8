import {readFileSync} from 'node:fs'

/** Longer than a machine is up, milliseconds. */
const BETWEEN_STARTS_MS = 2 ** 36

/** So many bits of a start's name: SQLite takes a number of 2^51 or more for no whole one. */
const START_BITS = 0x7fff

const NS_PER_MS = 1_000_000n

/**
 * Milliseconds for leases among the processes of this machine: they go on evenly whatever is done to its clock, and a
 * lease from before its last start lies far away. Where the system does not name its start, the clock itself.
 *
 * @see clock_gettime(2), CLOCK_MONOTONIC: alike in all processes
 */
export function openLeaseClock(startFile = '/proc/sys/kernel/random/boot_id'): () => number {
  try {
    const start = Number.parseInt(readFileSync(startFile, 'latin1').slice(0, 4), 16) & START_BITS
    return () => start * BETWEEN_STARTS_MS + Number(process.hrtime.bigint() / NS_PER_MS)
  } catch {
    return Date.now
  }
}
