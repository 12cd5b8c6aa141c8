import {expect} from 'vitest'
import {readJsonLines} from './json-lines.js'

/**
 * No event came twice, and each that did not come is named as unknown, or held behind one that is.
 *
 * @param arrived ids of the events that came to the shop
 * @param stdout NDJSON of the last replay
 * @param words what the run was, for the message
 */
export function expectSentOnceOrNamed(
  events: readonly {readonly id: string}[],
  arrived: readonly string[],
  stdout: string,
  words: string,
): void {
  expect(new Set(arrived).size, words).toBe(arrived.length)
  const rows = readJsonLines(stdout)
  for (const {id} of events.filter(({id}) => !arrived.includes(id)))
    expect(rows.find(row => row.id === id)?.result, `${words}: ${id}`).toMatch(/^(?:unknown|held)$/)
}
