import {StorectlError} from '../errors.js'
import type {HttpClient, HttpResponse} from '../http/http.js'
import type {ShopVersions} from '../shopware/versions/version-range.js'
import type {CheckResult, HealthCheck} from './doctor.js'
import {checkPrivileges, type PrivilegeFacts, type RolePurpose} from './privileges.js'
import {checkVersions} from './version-check.js'
import {checkWebhook, type WebhookFacts} from './webhook-check.js'

/** The chosen shop, for the checks. */
export interface ShopFacts {
  /** Of the profile. */
  readonly name: string
  /** Whether it is in the settings, so that secrets can be stored for it. */
  readonly isKept: boolean
  readonly baseUrl: URL
  /** The proxy that calls go through, without its credentials; `undefined` when they go directly. */
  readonly proxy: string | undefined
  /** Addresses of a host name. */
  resolveHost(host: string): Promise<readonly string[]>
  /** When the shop's certificate expires; `undefined` if it presents none. */
  readCertificateEnd(url: URL): Promise<Date | undefined>
  /** A route that needs no token, with the time of the answer. */
  fetchHealth(): Promise<{readonly answer: HttpResponse; readonly at: Date}>
  /** The version, once the shop has accepted a token. */
  fetchVersion(): Promise<string | undefined>
  /** Of the shop and of its payment plugin. */
  findVersions(): Promise<ShopVersions>
  /** What the access token lacks of the commands' privileges. */
  probePrivileges(): Promise<PrivilegeFacts>
  readWebhookFacts(): Promise<WebhookFacts>
  readonly now: () => Date
}

const DAY_MS = 86_400_000
const CERTIFICATE_WARNING_DAYS = 14
const SKEW_WARNING_MS = 30_000

/**
 * The checks of the way to the shop and of the shop, in the order of a call.
 *
 * @param open the shop that was chosen; called again by each check. `undefined` for the bundled one that nobody has
 *   started yet: looking at it would make it
 * @param purposes of the role at the shop; empty for everything
 */
export function createShopChecks(
  open: () => Promise<ShopFacts | undefined>,
  purposes: readonly RolePurpose[],
): HealthCheck[] {
  const check = (name: string, needs: string, look: (shop: ShopFacts) => Promise<CheckResult>) => ({
    name,
    needs: [needs],
    examine: async () => {
      const shop = await open()
      return shop ? look(shop) : createNotStartedFinding(name)
    },
  })
  return [
    check('shop', 'settings', checkShop),
    check('name', 'shop', nameFinding),
    check('connection', 'name', checkConnection),
    check('certificate', 'name', checkCertificate),
    check('clock', 'connection', checkClock),
    check('token', 'connection', checkToken),
    check('versions', 'connection', checkVersions),
    check('privileges', 'token', shop => checkPrivileges(shop, purposes)),
    check('webhook token', 'token', needsWebhook(purposes) ? checkWebhook : skipWebhook),
  ]
}

function needsWebhook(purposes: readonly RolePurpose[]): boolean {
  return purposes.length === 0 || purposes.includes('replay') || purposes.includes('register')
}

async function skipWebhook(): Promise<CheckResult> {
  return {state: 'skipped', found: 'not needed for what --for names'}
}

function createNotStartedFinding(name: string): CheckResult {
  if (name !== 'shop') return {state: 'skipped', found: 'see shop'}
  return {state: 'ok', found: 'the bundled shop; the first use creates it'}
}

async function checkShop({name, isKept, baseUrl, proxy}: ShopFacts): Promise<CheckResult> {
  const way = proxy === undefined ? 'no proxy' : `through ${proxy}`
  return {state: 'ok', found: `${isKept ? `"${name}" at ` : ''}${baseUrl.href}, ${way}`}
}

async function nameFinding({baseUrl, proxy, resolveHost}: ShopFacts): Promise<CheckResult> {
  const host = baseUrl.hostname.replace(/^\[|\]$/g, '')
  if (proxy !== undefined) return {state: 'skipped', found: `the proxy resolves ${host}`}
  const addresses = await resolveHost(host)
  if (addresses.length === 1 && addresses[0] === host) return {state: 'ok', found: `${host} is an IP address`}
  if (addresses.length > 0) return {state: 'ok', found: `${host} resolves to ${addresses.join(', ')}`}
  return {
    state: 'failed',
    found: `unknown host ${host}`,
    nextSteps: ['storectl auth status   # shows the URL, and where it is set', `nslookup ${host}`],
    exit: 'unavailable',
  }
}

/** Whether it answers at all. */
export async function checkConnection({fetchHealth, baseUrl}: ShopFacts): Promise<CheckResult> {
  const {answer} = await fetchHealth()
  if (answer.status < 400) return {state: 'ok', found: `${baseUrl.origin} answers`}
  if (answer.status >= 500) {
    return {
      state: 'failed',
      found: `${baseUrl.origin} answers ${answer.status}`,
      nextSteps: ['check the shop’s logs'],
      exit: 'unavailable',
    }
  }
  return {state: 'warning', found: `${baseUrl.origin} answers ${answer.status}; a healthy shop answers 200`}
}

/** When its certificate ends; a warning from 14 days before. */
export async function checkCertificate({
  readCertificateEnd,
  baseUrl,
  now,
  proxy,
}: ShopFacts): Promise<CheckResult> {
  if (baseUrl.protocol !== 'https:') return describePlainHttp(baseUrl)
  if (proxy !== undefined) return {state: 'skipped', found: 'the proxy ends the TLS connection'}
  const end = await readCertificateEnd(baseUrl)
  if (!end) return {state: 'skipped', found: 'the shop sent no certificate'}
  const leftMs = end.getTime() - now().getTime()
  const day = end.toISOString().slice(0, 10)
  const nextSteps = [`renew the certificate of ${baseUrl.host}`, 'storectl doctor']
  if (leftMs < 0) return {state: 'failed', found: `expired on ${day}`, nextSteps, exit: 'unavailable'}
  const days = Math.floor(leftMs / DAY_MS)
  const found = `valid until ${day}`
  if (days >= CERTIFICATE_WARNING_DAYS) return {state: 'ok', found}
  return {
    state: 'warning',
    found: `${found}, ${days === 1 ? '1 day' : `${days} days`} from now`,
    nextSteps,
  }
}

function describePlainHttp({hostname}: URL): CheckResult {
  if (/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname))
    return {state: 'skipped', found: 'plain HTTP on this machine'}
  return {
    state: 'warning',
    found: 'plain HTTP: others on the network can read every secret',
    nextSteps: ['use an https:// URL'],
  }
}

async function checkClock({fetchHealth}: ShopFacts): Promise<CheckResult> {
  const {answer, at} = await fetchHealth()
  const said = Date.parse(String(answer.headers.date ?? ''))
  if (Number.isNaN(said)) return {state: 'skipped', found: 'the shop sends no Date header'}
  const aheadMs = said - at.getTime()
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (Math.abs(aheadMs) < SKEW_WARNING_MS) return {state: 'ok', found: 'in sync with this machine'}
  return {
    state: 'warning',
    found: `the shop's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's`,
    nextSteps: ['timedatectl   # is this machine’s clock set by the network?'],
  }
}

async function checkToken({fetchVersion}: ShopFacts): Promise<CheckResult> {
  const running = await fetchVersion()
  return {state: 'ok', found: running === undefined ? 'accepted' : `accepted by Shopware ${running}`}
}

/** The meaning of a failed name look-up, for all resolvers. */
export function explainUnknownHost(error: unknown): readonly string[] {
  const {code = ''} = error as NodeJS.ErrnoException
  if (code === 'ENOTFOUND' || code === 'ENODATA') return []
  throw new StorectlError('unavailable.no_resolver', `Host names cannot be resolved (${code}).`, {
    nextSteps: ['cat /etc/resolv.conf'],
    cause: error,
  })
}

interface Calls {
  readonly signed: HttpClient
  readonly patient: HttpClient
  readonly unsigned: HttpClient
}

/** The same calls, which the signal aborts: a doctor changes nothing. */
export function withSignal<Connected extends Calls>(connection: Connected, signal: AbortSignal): Connected {
  const cut = ({baseUrl, call}: HttpClient): HttpClient => ({
    baseUrl,
    call: given => call({...given, signal}),
  })
  const {signed, patient, unsigned} = connection
  return {...connection, signed: cut(signed), patient: cut(patient), unsigned: cut(unsigned)}
}

/** Calls a route that needs no token, once for all checks. */
export function memoizeHealth(
  caller: HttpClient,
  now: () => Date,
): () => Promise<{readonly answer: HttpResponse; readonly at: Date}> {
  const ask = async () => {
    const answer = await caller.call({method: 'GET', path: '/api/_info/health-check'})
    return {answer, at: now()}
  }
  let asked: ReturnType<typeof ask> | undefined
  return () => {
    asked ??= ask()
    return asked
  }
}
