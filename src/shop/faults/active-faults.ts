import type {EventsFault, FaultEffect} from './effects.js'
import {type FaultRule, matchesPath} from './parse.js'

/** An active rule. */
export interface ActiveFault {
  /** From 1, never reused while the server runs. */
  readonly id: number
  readonly rule: FaultRule
  /** Requests that it matched. */
  readonly matched: number
  /** Requests that it failed. */
  readonly injected: number
}

/** The faults of a running server. They may change at any time; a request sees those of its arrival. */
export interface FaultInjector {
  add(rule: FaultRule): ActiveFault
  /** All faults in the order in which they were added, exhausted ones included. */
  list(): readonly ActiveFault[]
  /** @returns whether there was such a fault */
  remove(id: number): boolean
  clear(): void
  /** Draws the effects on a request to this path, in the order of the rules. Each call counts as a request. */
  drawFaults(path: string): readonly FaultEffect[]
  /** Draws the payment provider's fault for a request to this path. Each call counts as a request. */
  drawProviderFault(path: string): 'down' | 'not-found' | undefined
  /** Draws faults of the provider's event list and resends for this path. Each call counts as a request. */
  drawEventsFaults(path: string): EventsFaults
  /** Draws whether an order with a known reference is created again. Each call counts as a request. */
  drawReferenceFault(path: string): boolean
}

export interface EventsFaults {
  readonly hows: ReadonlySet<EventsFault>
  /** Delay of a resent event, milliseconds. */
  readonly lateMs: number
}

/** Seeds of two rules differ by this, so that rules with the same rate affect different requests. */
const APART = 0x9e3779b1

interface Entry {
  readonly id: number
  readonly rule: FaultRule
  readonly random: () => number
  matched: number
  injected: number
}

/**
 * Creates a list with these rules. Each rule has its own random numbers, so that rules do not affect each other.
 *
 * @param seed of the random numbers: the same seed affects the same requests; a rule may have its own. Default 1
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
    drawFaults: path => draw(entries, path, undefined),
    drawProviderFault: path =>
      draw(entries, path, 'provider').find(effect => effect.kind === 'provider')?.answer,
    drawEventsFaults: path => {
      const effects = draw(entries, path, 'events')
      return {
        hows: new Set(effects.flatMap(effect => (effect.kind === 'events' ? [effect.how] : []))),
        lateMs: effects.reduce((ms, effect) => ms + (effect.kind === 'work-after' ? effect.ms : 0), 0),
      }
    },
    drawReferenceFault: path => draw(entries, path, 'reference').length > 0,
  }
}

/** What a rule affects, other than the response to a request. */
type Subject = (typeof SUBJECTS)[number]

const SUBJECTS = ['provider', 'events', 'reference'] as const

/** The effects of the rules about a subject; without one, of the rules about responses. */
function draw(entries: readonly Entry[], path: string, about: Subject | undefined): readonly FaultEffect[] {
  return entries
    .filter(({rule}) => findSubject(rule) === about && matchesPath(rule, path))
    .filter(drawFault)
    .flatMap(({rule}) => rule.effects)
}

function findSubject({effects}: FaultRule): Subject | undefined {
  return SUBJECTS.find(subject => effects.some(({kind}) => kind === subject))
}

function describe({id, rule, matched, injected}: Entry): ActiveFault {
  return {id, rule, matched, injected}
}

/** Draws for every matching request, so that limits do not change which ones are affected. */
function drawFault(entry: Entry): boolean {
  const {rule} = entry
  entry.matched += 1
  const drawn = entry.random() < rule.rate
  if (entry.matched <= rule.after || !drawn || entry.injected >= (rule.count ?? Infinity)) return false
  entry.injected += 1
  return true
}

/**
 * Pseudo-random numbers from 0 up to 1, always the same for a seed.
 *
 * @see Tommy Ettinger's mulberry32: 32 bits of state, enough to choose requests
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
