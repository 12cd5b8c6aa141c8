import {StorectlError} from '../errors.js'
import type {Announcement} from '../shop/index.js'
import type {ServerReport, ShopCounts} from '../wire/schemas/server.js'
import {type Administrator, askReport, type ControlCaller} from './control.js'

/** The status of the bundled server. Keys are the same whether it runs or not. */
interface ServerStatus {
  readonly running: boolean
  /** Whether it answers; a process may exist but hang. */
  readonly answers: boolean
  /** `null` when it does not run, as all that follows down to `tokenPrefix`. */
  readonly url: string | null
  readonly pid: number | null
  /** Version of the program that runs the server; `null` also if it does not report it. */
  readonly version: string | null
  /** UTC. */
  readonly startedAt: string | null
  readonly uptimeSeconds: number | null
  readonly provider: string | null
  readonly tokenPrefix: string | null
  readonly data: string
  /** Of the database and its log; 0 where no shop is yet. */
  readonly sizeBytes: number
  /** `null` if there is no shop yet, or the rows could not be counted. */
  readonly counts: ShopCounts | null
}

export const SERVER_VIEW = {
  noun: ['server', 'servers'] as const,
  id: 'url',
  columns: [
    {path: 'running'},
    {path: 'answers'},
    {path: 'url'},
    {path: 'pid'},
    {path: 'version'},
    {path: 'startedAt', kind: 'time'},
    {path: 'uptimeSeconds', kind: 'seconds'},
    {path: 'provider'},
    {path: 'tokenPrefix'},
    {path: 'data'},
    {path: 'sizeBytes', kind: 'bytes'},
    {path: 'counts.customers', label: 'Customers', kind: 'number'},
    {path: 'counts.orders', label: 'Orders', kind: 'number'},
    {path: 'counts.fulfillmentOrders', label: 'Fulfillment orders', kind: 'number'},
    {path: 'counts.webhookDeliveries', label: 'Webhook deliveries', kind: 'number'},
    {path: 'counts.salesChannels', label: 'Sales channels', kind: 'number'},
  ],
} as const

/** What is known about a server from outside. */
interface ServerSighting {
  readonly data: string
  readonly sizeBytes: number
  /** What it announced; `undefined` when none runs. */
  readonly server: Announcement | undefined
  readonly answers: boolean
  /** Its own answer when asked. */
  readonly report: ServerReport | undefined
  readonly counts: ShopCounts | undefined
  readonly now: Date
}

export interface StatusDeps extends Pick<ServerSighting, 'data' | 'server' | 'now'> {
  /** Signs in at the control routes; `undefined` where its credentials are gone. */
  readonly administrator: Administrator | undefined
  readonly openCaller: (url: string) => Promise<ControlCaller>
  /** Size of the database and its log; 0 where no shop is yet. */
  readonly readSize: () => Promise<number>
  /** Counts what is in the database itself. */
  readonly countRows: () => Promise<ShopCounts>
}

/** The status of the shop of a data folder, whether a server runs there or not. Nothing is made or changed. */
export async function readServerStatus(deps: StatusDeps): Promise<ServerStatus> {
  const {data, server, now, countRows} = deps
  const sizeBytes = await deps.readSize()
  const report = server && (await requestReport(server, deps))
  const answers = server !== undefined && (report !== undefined || (await isAlive(server, deps)))
  // An old or damaged database must not hide the rest of the status.
  const counts = report?.counts ?? (sizeBytes > 0 ? await countRows().catch(() => undefined) : undefined)
  return buildServerStatus({data, sizeBytes, server, answers, report, counts, now})
}

async function requestReport(
  {url}: Announcement,
  {administrator, openCaller}: StatusDeps,
): Promise<ServerReport | undefined> {
  if (!administrator) return undefined
  return askReport(await openCaller(url), administrator).catch(() => undefined)
}

async function isAlive({url}: Announcement, {openCaller}: StatusDeps): Promise<boolean> {
  const caller = await openCaller(url)
  return caller.call({method: 'GET', path: '/api/_info/health-check'}).then(
    ({status}) => status === 200,
    () => false,
  )
}

/** @throws StorectlError `unavailable.server_down` for a server that does not run, or does not answer */
export function requireAnswer({answers, running, pid, data}: ServerStatus): void {
  if (answers) return
  const what = running ? `Process ${pid} does not answer` : 'No server is running'
  throw new StorectlError('unavailable.server_down', `${what} on ${data}.`, {
    nextSteps: running ? ['storectl server stop'] : ['storectl server start'],
  })
}

/** The status of a data folder's server. */
function buildServerStatus({server, answers, report, now, ...rest}: ServerSighting): ServerStatus {
  const ofFolder = {data: rest.data, sizeBytes: rest.sizeBytes, counts: rest.counts ?? null}
  if (!server) {
    const nothing = {url: null, pid: null, version: null, startedAt: null, uptimeSeconds: null}
    return {running: false, answers: false, ...nothing, provider: null, tokenPrefix: null, ...ofFolder}
  }
  const {url, pid, startedAt, provider, tokenPrefix} = server
  const uptimeSeconds = Math.max(0, Math.trunc((now.getTime() - Date.parse(startedAt)) / 1000))
  const version = report?.version ?? null
  return {
    ...{running: true, answers, url, pid, version, startedAt, uptimeSeconds, provider, tokenPrefix},
    ...ofFolder,
  }
}
