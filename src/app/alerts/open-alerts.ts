import type {SendAlert} from '../../alerts/alert-loop.js'
import type {IncidentStore, Problems} from '../../alerts/incident.js'
import {createUsageError} from '../../errors.js'
import type {AlertFlags} from '../../flags/flag-kinds.js'
import type {Http} from '../../http/client.js'
import type {HttpClient} from '../../http/http.js'
import {isLoopback} from '../../http/listener.js'
import {AmountTotals} from '../../language/amount-totals.js'
import {createNoteWriter} from '../../output/write-note.js'
import type {Clock} from '../../platform/clock.js'
import {NEEDS_DOING} from '../../webhook/event/event-status.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
import type {Host} from '../host.js'

/** Default time for which a shop is away before that is an incident, milliseconds. */
const USUAL_AWAY_AFTER_MS = 900_000

/** The adapters that alerts need. */
export interface AlertSources {
  openHttp(way?: 'direct'): Promise<Pick<Http, 'to'>>
  chooseProfile(): Promise<{readonly name: string}>
  openInbox(): Promise<{
    readonly inbox: Pick<Inbox, 'countGroups' | 'sumGroups'>
    readonly target: string
  }>
  openRecords(): Promise<{readonly incidents: IncidentStore}>
  openRecordsClock(): Promise<Clock>
  closeAtEnd(close: () => Promise<void>): void
}

/**
 * Alerts of a long-running command, until its end.
 *
 * @returns `undefined` if flags and environment name no receiver
 * @throws StorectlError `usage.notify_url`
 */
export async function openAlerts(
  host: Host,
  adapters: AlertSources,
  flags: AlertFlags,
): Promise<Problems | undefined> {
  const {'on-problem': command, notify = host.env.STORECTL_NOTIFY_URL, 'notify-format': format} = flags
  const receivers: SendAlert[] = []
  if (notify) receivers.push(await openReceiver(host, adapters, {notify, isSlack: format === 'slack'}))
  if (command !== undefined) {
    const {runShellCommand} = await import('../../platform/shell-command.js')
    receivers.push((alert, signal) =>
      runShellCommand({command, input: `${JSON.stringify(alert)}\n`, env: host.env, signal}),
    )
  }
  if (receivers.length === 0) return undefined
  const {AlertLoop} = await import('../../alerts/alert-loop.js')
  const {name} = await adapters.chooseProfile()
  const {inbox, target} = await adapters.openInbox()
  const {incidents} = await adapters.openRecords()
  const clock = await adapters.openRecordsClock()
  const loop = new AlertLoop({
    ...{store: incidents, receivers, target, profile: name, clock},
    awayAfterMs: flags['away-after'] ?? USUAL_AWAY_AFTER_MS,
    countEvents: async () => {
      const counts: Record<string, number> = {pending: 0, failed: 0, unknown: 0}
      for (const {statuses} of await inbox.countGroups(target, {statuses: NEEDS_DOING}, 'type'))
        for (const [status, count] of Object.entries(statuses)) counts[status] = (counts[status] ?? 0) + count
      const sums = await inbox.sumGroups(target, {statuses: NEEDS_DOING}, 'type')
      return {counts, amounts: sumAmounts([...sums.values()])}
    },
    examine: async problems => {
      const groups = await inbox.countGroups(target, {statuses: NEEDS_DOING}, 'sender')
      const untrusted = groups.filter(({key}) => key === 'forged' || key === 'wrong-token')
      const [first] = untrusted
      if (!first) return problems.clear('untrusted-events')
      const sums = await inbox.sumGroups(target, {statuses: NEEDS_DOING}, 'sender')
      problems.report('untrusted-events', {
        ...{since: clock.now(), cause: String(first.key)},
        counts: Object.fromEntries(untrusted.map(({key, count}) => [String(key), count])),
        amounts: sumAmounts(untrusted.map(({key}) => sums.get(key) ?? [])),
      })
    },
    note: createNoteWriter(host.stderr),
  })
  adapters.closeAtEnd(() => loop.close())
  loop.start()
  return loop
}

function sumAmounts(all: readonly Parameters<AmountTotals['addSums']>[0][]) {
  const totals = new AmountTotals()
  for (const sums of all) totals.addSums(sums)
  return totals.list()
}

/** Posts alerts to an address, of which only the host is ever shown. */
async function openReceiver(
  {redaction}: Host,
  adapters: AlertSources,
  {notify, isSlack}: {readonly notify: string; readonly isSlack: boolean},
): Promise<SendAlert> {
  const url = URL.canParse(notify) ? new URL(notify) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw createUsageError('notify_url', 'The URL to notify must begin with https:// or http://.')
  const {formatSlack} = await import('../../alerts/format-alert.js')
  const path = `${url.pathname}${url.search}`
  const user = decodeUser(url)
  const basic = Buffer.from(user.join(':')).toString('base64')
  for (const secret of [path, ...user, ...(url.username ? [basic] : [])]) redaction.hide(secret)
  const client = await openCaller(adapters, new URL(url.origin))
  return async (alert, signal) => {
    const {status} = await client.call({
      ...{method: 'POST', path, signal, answer: 'short'},
      headers: {'content-type': 'application/json', ...(url.username && {authorization: `Basic ${basic}`})},
      body: isSlack ? formatSlack(alert) : JSON.stringify(alert),
    })
    if (status >= 300) throw new Error(`${url.host} answered ${status}`)
  }
}

function decodeUser({username, password}: URL): readonly string[] {
  try {
    return [username, password].map(decodeURIComponent)
  } catch {
    throw createUsageError(
      'notify_url',
      'The user or password in the URL to notify has a % that no two hex digits follow.',
    )
  }
}

/** Receivers on this machine are reached without a proxy. */
export async function openCaller(adapters: AlertSources, url: URL): Promise<HttpClient> {
  const http = await adapters.openHttp(isLoopback(url.hostname) ? 'direct' : undefined)
  return http.to(url)
}
