import {type FaultEffect, type FaultRule, matchesPath} from './parse.js'

/** A rule at work. */
export interface ActiveFault {
  /** From 1, never used again while the server runs. */
  readonly id: number
  readonly rule: FaultRule
  /** Requests that it matched. */
  readonly matched: number
  /** Requests that it failed. */
  readonly injected: number
}

/** The faults of a running server. They may change at any time; a request sees those of the moment it arrived. */
export interface FaultInjector {
  add(rule: FaultRule): ActiveFault
  /** All of them in the order in which they were added, the used-up ones too. */
  list(): readonly ActiveFault[]
  /** @returns whether there was such a fault */
  remove(id: number): boolean
  clear(): void
  /** Draws the effects on a request to this path, in the order of the rules. Asking counts. */
  drawFaults(path: string): readonly FaultEffect[]
  /** Draws what the payment provider answers on behalf of this path. Asking counts. */
  drawProviderFault(path: string): 'down' | 'not-found' | undefined
}

/** Two rules of one share are to strike different requests: their numbers begin far from each other. */
const APART = 0x9e3779b1

interface Entry {
  readonly id: number
  readonly rule: FaultRule
  readonly random: () => number
  matched: number
  injected: number
}

/**
 * A list with these rules in it. Each rule has random numbers of its own, so that rules do not disturb each other.
 *
 * @param seed where they begin: the same seed strikes the same requests; a rule may have one of its own. Default 1
 */
export function createFaultList(rules: readonly FaultRule[] = [], seed = 1): FaultInjector {
  const entries: Entry[] = []
  let lastId = 0
  const add = (rule: FaultRule) => {
    const random = createRandom(rule.seed ?? seed + lastId * APART)
    const entry = {id: ++lastId, rule, random, matched: 0, injected: 0}
    entries.push(entry)
    return describe(entry)
  }
  for (const rule of rules) add(rule)
  return {
    add,
    list: () => entries.map(describe),
    remove: id => {
      const index = entries.findIndex(entry => entry.id === id)
      return index >= 0 && entries.splice(index, 1).length === 1
    },
    clear: () => void entries.splice(0),
    drawFaults: path =>
      entries
        .filter(({rule}) => !isForProvider(rule) && matchesPath(rule, path))
        .filter(drawFault)
        .flatMap(({rule}) => rule.effects),
    drawProviderFault: path => {
      const answers = entries
        .filter(({rule}) => isForProvider(rule) && matchesPath(rule, path))
        .filter(drawFault)
      return answers.flatMap(({rule}) => rule.effects).find(effect => effect.kind === 'provider')?.answer
    },
  }
}

function describe({id, rule, matched, injected}: Entry): ActiveFault {
  return {id, rule, matched, injected}
}

function isForProvider(rule: FaultRule): boolean {
  return rule.effects.some(effect => effect.kind === 'provider')
}

/** Draws for every matching request, so that which ones are failed does not depend on the limits. */
function drawFault(entry: Entry): boolean {
  const {rule} = entry
  entry.matched += 1
  const drawn = entry.random() < rule.rate
  if (entry.matched <= rule.after || !drawn || entry.injected >= (rule.count ?? Infinity)) return false
  entry.injected += 1
  return true
}

/**
 * Numbers from 0 up to 1 that look random and are always the same for a seed.
 *
 * @see Tommy Ettinger's mulberry32: 32 bits of state, enough to choose which requests suffer
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
