import {createUsageError, type StorectlError} from '../../errors.js'
import {suggestNearest} from '../../language/nearest-word.js'
import {EVENTS_FAULTS, type FaultEffect} from './effects.js'

/** A fault rule, as in `server start --fault`. */
export interface FaultRule {
  /** As it was typed. */
  readonly text: string
  /** A name of `FAULT_ROUTES`, or the beginning of a path. */
  readonly route: string
  /** Its effects in the order given; at least one. */
  readonly effects: readonly FaultEffect[]
  /** Share of the matching requests that it affects, above 0, at most 1. */
  readonly rate: number
  /** Most requests that it affects; `undefined` for no limit. */
  readonly count: number | undefined
  /** Number of matching requests that pass first. */
  readonly after: number
  /** Seed of its random numbers: the same seed affects the same requests. `undefined`: the server's. */
  readonly seed: number | undefined
}

/** Names for the shop's operations, with patterns of their paths. */
const FAULT_ROUTES: Readonly<Record<string, RegExp>> = {
  any: /^/,
  token: /^\/api\/oauth\/token$/,
  webhook: /^\/api\/_action\/[^/]+\/webhook\/execute$/,
  order: /^\/api\/fulfillment\/order$/,
  provider: /^\/provider\//,
  search: /^\/api\/search(-ids)?\//,
  transition: /^\/api\/_action\/.+\/state\/[^/]+$/,
}

/** Whether a rule matches this path. */
export function matchesPath(rule: FaultRule, path: string): boolean {
  return rule.route.startsWith('/')
    ? path.startsWith(rule.route)
    : (FAULT_ROUTES[rule.route]?.test(path) ?? false)
}

/** The keys of a rule with values and meaning, in the order of the help text. */
export const FAULT_KEYS: readonly {readonly key: string; readonly takes: string; readonly means: string}[] = [
  {
    key: 'route',
    takes: `${Object.keys(FAULT_ROUTES).join(', ')} or /path`,
    means: 'requests to match (default any)',
  },
  {key: 'status', takes: '400 to 599', means: 'respond with this status'},
  {key: 'retry-after', takes: 'seconds', means: 'Retry-After header of that response'},
  {key: 'token', takes: 'expired', means: 'reject the access token as expired'},
  {key: 'throttle', takes: '10s, 1m', means: 'simulate login throttling (429)'},
  {key: 'latency', takes: '200ms, 2s, 1m', means: 'delay before processing'},
  {
    key: 'reset',
    takes: 'before-commit, after-commit',
    means: 'reset the connection before or after the commit',
  },
  {key: 'slow-body', takes: '200ms, 2s, 1m', means: 'time to send the response body'},
  {
    key: 'work-after',
    takes: '200ms, 2s, 1m',
    means: 'process this long after the response of status, reset=before-commit or events=late',
  },
  {key: 'provider', takes: 'down, not-found', means: "fault of the payment provider's API"},
  {
    key: 'events',
    takes: EVENTS_FAULTS.join(', '),
    means: 'how the provider lists events and resends them',
  },
  {key: 'reference', takes: 'not-unique', means: 'create a second order when one is submitted again'},
  {key: 'rate', takes: '0.2, 20%', means: 'share of requests to affect (default 100%)'},
  {key: 'count', takes: 'a number', means: 'max injections'},
  {key: 'after', takes: 'a number', means: 'requests to pass before the first injection'},
  {key: 'seed', takes: 'a number', means: 'random seed (default: the seed of the server)'},
]

/**
 * Parses a fault rule: `key=value` pairs separated by commas, each key once, at least one effect.
 *
 * ```
 * RULE   = pair *("," pair)
 * pair   = "route=" NAME-OR-PATH / "status=" 400..599 / "retry-after=" SECONDS / "token=expired" / "throttle=" TIME
 *        / "latency=" TIME
 *        / "reset=" ("before-commit" / "after-commit") / "slow-body=" TIME / "work-after=" TIME / "provider=" ("down" / "not-found") / "reference=not-unique"
 *        / "events=" ("pending" / "no-status" / "no-transmissions" / "newer" / "same-transmission" / "late")
 *        / "rate=" (0..1 / 0..100 "%") / "count=" N / "after=" N / "seed=" N
 * TIME   = N ("ms" / "s" / "m")
 * ```
 *
 * `route=webhook,latency=3s,status=504,work-after=5s` · `route=webhook,status=503,rate=20%,count=10` · `route=order,reset=after-commit,rate=5%,seed=7` · `latency=200ms`
 *
 * @throws StorectlError `usage.fault_rule`, with the column (from 1) of the mistake
 */
export function parseFaultRule(text: string): FaultRule {
  const pairs = readPairs(text)
  const readValue = <T>(key: string, read: Read<T>, fallback: T): T => {
    const pair = pairs.get(key)
    return pair === undefined ? fallback : read(pair)
  }
  const effects = readEffects(pairs)
  if (effects.length === 0) {
    throw createRuleError(
      text,
      text.length + 1,
      'no effect; add status=503, latency=2s, reset=after-commit or slow-body=2s',
    )
  }
  return {
    text,
    route: readValue('route', parseRoute, 'any'),
    effects,
    rate: readValue('rate', parseRate, 1),
    count: readValue('count', pair => parseWholeNumber(pair, 1), undefined),
    after: readValue('after', pair => parseWholeNumber(pair, 0), 0),
    seed: readValue('seed', pair => parseWholeNumber(pair, 0), undefined),
  }
}

/** A value with its position, for error messages. */
interface Pair {
  readonly rule: string
  readonly value: string
  readonly column: number
}

type Read<T> = (pair: Pair) => T

function readPairs(rule: string): Map<string, Pair> {
  const pairs = new Map<string, Pair>()
  let start = 0
  for (const part of rule.split(',')) {
    const key = part.slice(0, part.indexOf('=') < 0 ? part.length : part.indexOf('=')).trim()
    const column = start + 1
    if (key === '' || !part.includes('=')) throw createRuleError(rule, column, `"${part}" is not key=value`)
    if (!KEYS.includes(key))
      throw createRuleError(rule, column, `unknown key "${key}".${suggestNearest(key, KEYS)}`)
    if (pairs.has(key)) throw createRuleError(rule, column, `"${key}" appears twice`)
    const value = part.slice(part.indexOf('=') + 1)
    pairs.set(key, {rule, value: value.trim(), column: start + part.indexOf('=') + 2})
    start += part.length + 1
  }
  return pairs
}

const KEYS = FAULT_KEYS.map(({key}) => key)

/** Effects on something other than the response to a request. */
const APART = ['provider', 'events', 'reference'] as const

function readEffects(pairs: ReadonlyMap<string, Pair>): FaultEffect[] {
  const effects = [...pairs].flatMap(([key, pair]) => readEffect(key, pair, pairs) ?? [])
  for (const key of APART) {
    const pair = pairs.get(key)
    if (pair && effects.some(({kind}) => kind !== key && !(key === 'events' && kind === 'work-after')))
      throw createRuleError(pair.rule, pair.column, `${key} cannot be combined with another effect`)
  }
  const work = pairs.get('work-after')
  const isLate = effects.some(effect => effect.kind === 'events' && effect.how === 'late')
  const isAnswered = isLate || effects.some(effect => effect.kind === 'status' || isCutBefore(effect))
  if (work && !isAnswered)
    throw createRuleError(
      work.rule,
      work.column,
      'work-after needs status, reset=before-commit or events=late',
    )
  const late = pairs.get('events')
  if (late && isLate && !work) throw createRuleError(late.rule, late.column, 'events=late needs work-after')
  const stray = pairs.get('retry-after')
  if (stray && !pairs.has('status'))
    throw createRuleError(stray.rule, stray.column, 'retry-after needs a status')
  return effects
}

function isCutBefore(effect: FaultEffect): boolean {
  return effect.kind === 'reset' && effect.when === 'before-commit'
}

/** @returns `undefined` for a key that is not an effect */
function readEffect(key: string, pair: Pair, pairs: ReadonlyMap<string, Pair>): FaultEffect | undefined {
  switch (key) {
    case 'status':
      return {kind: key, status: parseStatus(pair), retryAfterSeconds: retryAfter(pairs)}
    case 'token':
      parseChoice(pair, ['expired'])
      return {kind: key}
    case 'throttle':
      return {kind: key, seconds: Math.ceil(parseDurationMs(pair) / 1000)}
    case 'latency':
    case 'slow-body':
    case 'work-after':
      return {kind: key, ms: parseDurationMs(pair)}
    case 'reset':
      return {kind: key, when: parseChoice(pair, ['before-commit', 'after-commit'])}
    case 'provider':
      return {kind: key, answer: parseChoice(pair, ['down', 'not-found'])}
    case 'reference':
      parseChoice(pair, ['not-unique'])
      return {kind: key}
    case 'events':
      return {kind: key, how: parseChoice(pair, EVENTS_FAULTS)}
    default:
      return undefined
  }
}

function parseRoute(pair: Pair): string {
  if (pair.value.startsWith('/') || Object.hasOwn(FAULT_ROUTES, pair.value)) return pair.value
  const names = Object.keys(FAULT_ROUTES)
  throw createPairError(
    pair,
    `is not a route: use ${names.join(', ')} or a path.${suggestNearest(pair.value, names)}`,
  )
}

function parseStatus(pair: Pair): number {
  const value = parseWholeNumber(pair, 0)
  if (value < 400 || value > 599) throw createPairError(pair, 'is not an error status: use 400 to 599')
  return value
}

function retryAfter(pairs: ReadonlyMap<string, Pair>): number | undefined {
  const pair = pairs.get('retry-after')
  return pair && parseWholeNumber(pair, 0)
}

const UNITS: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000}
const LONGEST_MS = 3_600_000

function parseDurationMs(pair: Pair): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(pair.value) ?? []
  if (amount === undefined) throw createPairError(pair, 'is not a duration: use 200ms, 2s or 1m')
  const ms = Math.round(Number(amount) * (UNITS[unit] as number))
  if (ms > LONGEST_MS) throw createPairError(pair, 'is longer than 60m')
  return ms
}

function parseRate(pair: Pair): number {
  const [, amount, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(pair.value) ?? []
  const share = Number(amount) / (percent ? 100 : 1)
  if (amount === undefined || share <= 0 || share > 1) {
    throw createPairError(pair, 'is not a share: use more than 0 up to 1, or up to 100%')
  }
  return share
}

function parseWholeNumber(pair: Pair, least: number): number {
  const value = Number(pair.value)
  if (!/^\d{1,9}$/.test(pair.value) || value < least)
    throw createPairError(pair, `is not a whole number from ${least}`)
  return value
}

function parseChoice<T extends string>(pair: Pair, choices: readonly T[]): T {
  const found = choices.find(one => one === pair.value)
  if (found === undefined)
    throw createPairError(pair, `is not one of ${choices.join(', ')}.${suggestNearest(pair.value, choices)}`)
  return found
}

function createPairError({rule, value, column}: Pair, why: string): StorectlError {
  return createRuleError(rule, column, `"${value}" ${why}`)
}

function createRuleError(rule: string, column: number, what: string): StorectlError {
  return createUsageError('fault_rule', `Fault rule "${rule}", column ${column}: ${what}`, [
    'storectl server start --fault route=webhook,status=503,rate=20%,count=10',
  ])
}
