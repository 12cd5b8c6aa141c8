import type {Scenario} from './scenario.js'
import {type Outcome, simulate} from './simulate.js'

/** Parts of a scenario, by short names: `f2` a fault, `c0` a command, `e7` an event, `crash`. */
export function listParts({faults, commands, events, crash}: Scenario): string[] {
  const name = (letter: string, all: readonly unknown[]) => all.map((_, at) => `${letter}${at}`)
  return [...name('f', faults), ...(crash ? ['crash'] : []), ...name('c', commands), ...name('e', events)]
}

/** The scenario with some of its parts only. */
export function selectParts(scenario: Scenario, parts: Iterable<string>): Scenario {
  const kept = new Set(parts)
  const keep = <Part>(letter: string, all: readonly Part[]) =>
    all.filter((_, at) => kept.has(`${letter}${at}`))
  return {
    ...scenario,
    faults: keep('f', scenario.faults),
    commands: keep('c', scenario.commands),
    events: keep('e', scenario.events),
    crash: kept.has('crash') ? scenario.crash : undefined,
  }
}

/** A failing scenario with as few parts as still break the same promise. */
export async function shrink(
  scenario: Scenario,
  outcome: Outcome,
): Promise<{parts: string[]; outcome: Outcome}> {
  const promises = new Set(outcome.broken.map(({promise}) => promise))
  let smallest = {parts: listParts(scenario), outcome}
  for (let size = smallest.parts.length >> 1; size > 0; size >>= 1) {
    for (let from = 0; from < smallest.parts.length; ) {
      const parts = smallest.parts.filter((_, at) => at < from || at >= from + size)
      const next = await simulate(selectParts(scenario, parts))
      if (next.broken.some(({promise}) => promises.has(promise))) smallest = {parts, outcome: next}
      else from += size
    }
  }
  return smallest
}
