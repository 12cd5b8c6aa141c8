/** What a fault does to a request. */
export type FaultEffect =
  | {readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds: number | undefined}
  | {readonly kind: 'token'}
  | {readonly kind: 'throttle'; readonly seconds: number}
  | {readonly kind: 'latency'; readonly ms: number}
  | {readonly kind: 'reset'; readonly when: 'before-commit' | 'after-commit'}
  | {readonly kind: 'slow-body'; readonly ms: number}
  | {readonly kind: 'provider'; readonly answer: 'down' | 'not-found'}

export type FaultKind = FaultEffect['kind']

/** One fault to rehearse, as `server start --fault` takes it. */
export interface FaultRule {
  /** As it was typed. */
  readonly text: string
  /** A name of `FAULT_ROUTES`, or a path that what is asked for begins with. */
  readonly route: string
  /** What it does, in the order in which it was typed; at least one. */
  readonly effects: readonly FaultEffect[]
  /** Which share of the matching requests it strikes, above 0, at most 1. */
  readonly rate: number
  /** How many requests it strikes at most; `undefined`: no end. */
  readonly count: number | undefined
  /** How many matching requests it lets pass first. */
  readonly after: number
  /** Where its own random numbers begin: the same seed strikes the same requests. `undefined`: the server's. */
  readonly seed: number | undefined
}

/** Names for the shop's operations, by how their paths look. */
export const FAULT_ROUTES: Readonly<Record<string, RegExp>> = {
  any: /^/,
  token: /^\/api\/oauth\/token$/,
  webhook: /^\/api\/_action\/[^/]+\/webhook\/execute$/,
  order: /^\/api\/fulfillment\/order$/,
  provider: /^\/provider\//,
  search: /^\/api\/search(-ids)?\//,
  transition: /^\/api\/_action\/.+\/state\/[^/]+$/,
}

/** Whether a rule is about this path. */
export function matchesPath(rule: FaultRule, path: string): boolean {
  return rule.route.startsWith('/')
    ? path.startsWith(rule.route)
    : (FAULT_ROUTES[rule.route]?.test(path) ?? false)
}

/** The keys of a rule with what they take and mean, for help texts; in the order in which help shows them. */
export const FAULT_KEYS: readonly {readonly key: string; readonly takes: string; readonly means: string}[] = [
  {
    key: 'route',
    takes: `${Object.keys(FAULT_ROUTES).join(', ')} or /path`,
    means: 'which requests; default any',
  },
  {key: 'status', takes: '400 to 599', means: 'answer this instead of doing anything'},
  {key: 'retry-after', takes: 'seconds', means: 'Retry-After of that answer'},
  {key: 'token', takes: 'expired', means: 'refuse the access token as if it had ended'},
  {key: 'throttle', takes: '10s, 1m', means: 'refuse as after too many sign-ins, and name that time to wait'},
  {key: 'latency', takes: '200ms, 2s, 1m', means: 'wait before doing anything'},
  {
    key: 'reset',
    takes: 'before-commit, after-commit',
    means: 'break the connection, the work undone or done',
  },
  {key: 'slow-body', takes: '200ms, 2s, 1m', means: 'take that long to send the answer'},
  {key: 'provider', takes: 'down, not-found', means: "what the payment provider's own API does"},
  {key: 'rate', takes: '0.2, 20%', means: 'strike this share of the requests; default all'},
  {key: 'count', takes: 'a number', means: 'strike so many times at most'},
  {key: 'after', takes: 'a number', means: 'let so many pass first'},
  {key: 'seed', takes: 'a number', means: 'where its random numbers begin; default: that of the server'},
]
