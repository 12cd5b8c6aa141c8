import {readMoment} from '../moment.js'

/**
 * Reads a moment for a filter on a date-time field.
 *
 * @returns the moment as the shop keeps it, or what is wrong, naming the right form
 * @see protocol.md §1.6 "stored / filter form"
 */
export function readTime(text: string): {stored: string} | {problem: string} {
  const moment = readMoment(text)
  return 'problem' in moment ? moment : {stored: storedTime(moment)}
}

/** `2024-10-24 21:30:46.123`, UTC. */
export function storedTime(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '')
}
