import {median} from './processes.js'
import {run} from './programs.js'

/**
 * Runs all sides of a throughput in turn, again and again.
 *
 * @param sides `{name, count, prepare, isSlow, atLeast, note}`; `prepare()` resolves to the command of one run, and to
 *   `after()`, which cleans up; `count` is what one run works off; a slow side runs but once
 * @returns rows for the table, `value` what is worked off in a second, by the median run from start to exit; the note says
 *   what one of them took of the processor
 */
export async function inTurn(sides, repeats) {
  const runs = sides.map(() => [])
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [at, {prepare, isSlow}] of sides.entries()) {
      if (isSlow && repeat > 0) continue
      const {command, after} = await prepare()
      runs[at].push(await run(command).finally(() => after?.()))
    }
  }
  return sides.map(({name, count, atLeast, atMost, note}, at) => ({
    ...{name, atLeast, atMost, note: withProcessor(note, runs[at], count)},
    value: count / (median(runs[at].map(({ms}) => ms)) / 1000),
    memoryMiB: highest(runs[at].map(({memoryMiB}) => memoryMiB)),
  }))
}

/** What one of them took of the processor, start and end of the program shared among all. */
function withProcessor(note, runs, count) {
  const known = runs.map(({cpuUs}) => cpuUs).filter(us => us !== undefined)
  if (known.length === 0) return note
  const each = `${Math.round(median(known) / count)} µs of CPU each`
  return note ? `${note}; ${each}` : each
}

function highest(values) {
  const known = values.filter(value => value !== undefined)
  return known.length > 0 ? Math.max(...known) : undefined
}

/** Says in a row how many times another one it is. */
export function compared(rows, from, with_) {
  const [one, other] = [from, with_].map(name => rows.find(row => row.name === name))
  if (one?.value === undefined || other?.value === undefined) return rows
  const times = `${(one.value / other.value).toFixed(0)} × ${with_}`
  one.note = one.note ? `${one.note}; ${times}` : times
  return rows
}
