import {type ExitName, StorectlError} from '../../errors.js'
import type {View} from '../../output/view.js'
import {normalizeToken} from '../../wire/normalize-token.js'
import type {RouteAnswer} from './ask-route.js'
import type {KeptToken, RegistrationApi} from './registration-client.js'

export interface RegistrationCheckDeps {
  readonly api: RegistrationApi
  /** Name of the profile, for messages. */
  readonly profile: string
  /** The flag that chooses the same shop in another command: ` --profile NAME` or ` --url URL`. */
  readonly shopWords: string
  /** The token that our own calls carry; `undefined` when none is known. */
  readonly ours: () => Promise<string | undefined>
}

/** The state of the webhook registration and of the webhook token. Keys are stable. */
export interface RegistrationRow {
  readonly profile: string
  readonly salesChannel: string | null
  /** `ok`, `unavailable`, `rotated`, `no-token`, `refused`, `not-registered`, `registered-elsewhere`, `not-known`. */
  readonly verdict: string
  /** The shop's own status: `valid`, `invalid`, `missing`; `null` if it could not be asked. */
  readonly registered: string | null
  /** Whether the shop takes the known token; `null` if none is known, or its answer does not show it. */
  readonly takesToken: boolean | null
  /** Whether the shop's own token is another one; `null` if it cannot be read. */
  readonly isRotated: boolean | null
  /** Why something is `null`. */
  readonly why: string | null
  /** A command that fixes it. */
  readonly next: string | null
  readonly [key: string]: unknown
}

export const REGISTRATION: View = {
  noun: ['registration', 'registrations'],
  id: 'verdict',
  hasCommands: true,
  columns: [
    {path: 'verdict', label: 'Result'},
    {path: 'registered', label: 'Registration'},
    {path: 'takesToken', label: 'Token accepted'},
    {path: 'isRotated', label: 'Token rotated'},
    {path: 'profile'},
    {path: 'salesChannel'},
    {path: 'why'},
    {path: 'next', kind: 'command'},
  ],
}

/** The exit code of each status. */
const EXITS: Readonly<Record<string, ExitName>> = {
  ok: 'ok',
  rotated: 'auth',
  refused: 'auth',
  'no-token': 'auth',
  'not-registered': 'partial',
  'registered-elsewhere': 'partial',
  'not-known': 'unavailable',
  unavailable: 'unavailable',
}

/** The exit code of a status. */
export function selectRegistrationExit({verdict}: RegistrationRow): ExitName {
  return EXITS[verdict] ?? 'ok'
}

/**
 * Checks registration and token. What cannot be checked, for instance without a sign-in, is `null`, with the reason.
 *
 * @throws StorectlError `unavailable.…` if the shop cannot be reached at all
 */
export async function checkRegistration(
  channel: string | undefined,
  {api, profile, shopWords, ours}: RegistrationCheckDeps,
): Promise<RegistrationRow> {
  const whys: string[] = []
  let fix: string | undefined
  const tryToRead = <T>(answer: Promise<T>) =>
    answer.catch((error: unknown) => {
      if (!(error instanceof StorectlError) || error.exitName === 'unavailable') throw error
      whys.push(error.message)
      fix ??= error.nextSteps[0]
      return undefined
    })
  const known = await ours()
  const {takesToken, foreignStatus} = known === undefined ? NOT_ASKED : await api.checkRoute(known)
  if (foreignStatus !== undefined) {
    whys.push(`The webhook route answers ${foreignStatus}.`)
    fix = suggestRouteFix(foreignStatus, profile, shopWords)
  }
  const registered = await tryToRead(api.readStatus(channel))
  const kept = registered === undefined ? undefined : await tryToRead(api.readToken(channel))
  if (kept?.kind === 'hidden') whys.push(kept.why)
  const isRotated = known === undefined ? undefined : differs(known, kept, takesToken)
  const isAway = foreignStatus !== undefined
  const verdict = isAway ? 'unavailable' : judgeRegistration(known, takesToken, isRotated, registered)
  return {
    verdict,
    registered: registered ?? null,
    takesToken: takesToken ?? null,
    isRotated: isRotated ?? null,
    profile,
    salesChannel: channel ?? null,
    why: whys.length > 0 ? [...new Set(whys)].join(' ') : null,
    next: (verdict === 'ok' ? undefined : fix) ?? suggestNext(verdict, shopWords, channel),
  }
}

const NOT_ASKED: RouteAnswer = {takesToken: undefined, foreignStatus: undefined}

/** A command that helps if something other than the webhook route answers. */
function suggestRouteFix(status: number, profile: string, shopWords: string): string {
  if (status >= 500 || status === 408 || status === 429) return `storectl doctor${shopWords}`
  const isGate = status === 401 || status === 403 || status === 412
  const which = shopWords.startsWith(' --url') ? `NAME${shopWords}` : profile
  return `storectl profile set ${which} ${isGate ? '--header-stdin' : '--provider NAME'}`
}

/** Any sales channel's token will do; case and other characters are ignored. @see protocol.md §4.1 */
function differs(
  ours: string,
  kept: KeptToken | undefined,
  isTaken: boolean | undefined,
): boolean | undefined {
  if (isTaken === true) return false
  if (kept?.kind !== 'token') return undefined
  return normalizeToken(ours) !== normalizeToken(kept.token)
}

function judgeRegistration(
  ours: string | undefined,
  isTaken: boolean | undefined,
  isRotated: boolean | undefined,
  registered: string | undefined,
): string {
  if (ours === undefined) return 'no-token'
  if (isRotated) return 'rotated'
  if (isTaken === false) return 'refused'
  if (registered === 'missing') return 'not-registered'
  if (registered === 'invalid') return 'registered-elsewhere'
  return isTaken === true || registered === 'valid' ? 'ok' : 'not-known'
}

function suggestNext(verdict: string, shopWords: string, channel: string | undefined): string | null {
  if (verdict === 'ok') return null
  if (verdict === 'not-known') return `storectl doctor${shopWords}`
  const of = channel === undefined ? '' : ` --sales-channel ${channel}`
  return `storectl webhook register${shopWords}${of}`
}

/** The result of a registration. Keys are stable; `token` is not the token. */
export interface RegisteredRow {
  /** `created`, `updated` or `nothing`, as the shop reports it. */
  readonly result: string
  /** `stored` (new here), `unchanged`, `not-stored` (nowhere to store it), `not-shown` (we may not see it), `none`, `deleted`. */
  readonly token: string
  readonly profile: string
  readonly salesChannel: string | null
  readonly [key: string]: unknown
}

export const REGISTERED: View = {
  noun: ['registration', 'registrations'],
  id: 'result',
  columns: [
    {path: 'result'},
    {path: 'token'},
    {path: 'profile'},
    {path: 'salesChannel'},
    {path: 'webhookToken'},
  ],
}

export interface RegisterDeps extends RegistrationCheckDeps {
  /** Stores a token for storectl's own calls; `undefined` if there is nowhere to store it. */
  readonly keep: ((token: string) => Promise<void>) | undefined
  readonly confirm: (what: string) => Promise<void>
}

/** How often the shop's token may change meanwhile. */
const TRIES = 3

/**
 * Has the shop register its webhook at the provider, and stores the shop's token.
 *
 * The token is not in the answer but in the shop's settings, and stays there: after an interruption between the two,
 * calling this again returns `nothing` and then reads the token.
 *
 * @throws StorectlError as `confirm`, `RegistrationApi` and `keep` do
 */
export async function register(
  channel: string | undefined,
  deps: RegisterDeps,
): Promise<{row: RegisteredRow; token: string | undefined; why: string | undefined}> {
  const {api, profile} = deps
  await deps.confirm(`register the webhook of ${profile} at the provider`)
  const result = await api.register(channel)
  const {word, token, why} = await bringToken(channel, deps)
  return {row: {result, token: word, profile, salesChannel: channel ?? null}, token, why}
}

interface Brought {
  readonly word: string
  readonly token?: string | undefined
  readonly why?: string | undefined
}

async function bringToken(channel: string | undefined, {api, ours, keep}: RegisterDeps): Promise<Brought> {
  let word = 'unchanged'
  let known = await ours()
  for (let tries = 0; tries < TRIES; tries++) {
    const shops = await api.readToken(channel)
    if (shops.kind === 'hidden') return {word: 'not-shown', why: shops.why}
    if (shops.kind === 'none') return {word: 'none'}
    const {token} = shops
    if (known !== undefined && normalizeToken(known) === normalizeToken(token)) return {word, token}
    if (!keep) return {word: 'not-stored', token}
    await keep(token)
    word = 'stored'
    known = token
  }
  return {word}
}

/** Has the shop end its registration. @returns `deleted` or `nothing` @throws StorectlError as `confirm` and `RegistrationApi` do */
export async function deregister(
  channel: string | undefined,
  {api, profile, confirm}: Pick<RegisterDeps, 'api' | 'profile' | 'confirm'>,
): Promise<string> {
  await confirm(
    `unregister the webhook of ${profile} at the provider; the shop then deletes the webhook token`,
  )
  return api.deregister(channel)
}
