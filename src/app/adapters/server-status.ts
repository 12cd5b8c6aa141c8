import {join} from 'node:path'
import type {Context} from '../../context.js'
import {readTextIfThere, sizeIfThere} from '../../platform/files/files.js'
import type {Announcement} from '../../shop/announcement.js'
import {askReport} from '../../shop/control/ask-report.js'
import type {ServerReport} from '../../shop/control/control.js'
import {readCredentials} from '../../shop/credentials-file.js'
import {type ServerStatus, serverStatus} from '../../shop/status.js'
import type {ShopCounts} from '../../shop/store/counts.js'
import type {DatabasePlace} from '../../storage/engine/place.js'
import {runningServer} from './local-shop.js'
import {databasePlace} from './locate-database.js'
import {whenThere} from './records.js'

/** How things stand with the shop of a data folder, whether a server runs there or not. Nothing is made or changed. */
export async function bundledStatus(context: Context, data: string): Promise<ServerStatus> {
  const database = await databasePlace(context, join(data, 'shop.db'))
  const sizeBytes = await sizeAt(database)
  const server = runningServer(data)
  const report = server && (await reportOf(context, server, data))
  const answers = server !== undefined && (report !== undefined || (await isAlive(context, server)))
  const now = context.host.clock.now()
  const counts = report?.counts ?? (sizeBytes > 0 ? await countsIn(database, now) : undefined)
  return serverStatus({data, sizeBytes, server, answers, report, counts, now})
}

async function sizeAt(place: DatabasePlace): Promise<number> {
  if (typeof place === 'string') return sizeIfThere(place) + sizeIfThere(`${place}-wal`)
  const {lookAt} = await import('../../storage/maintenance.js')
  const {SHOP} = await import('../../shop/store/shop-contents.js')
  return (await lookAt(place, SHOP).catch(whenThere))?.sizeBytes ?? 0
}

async function reportOf(
  context: Context,
  {url}: Announcement,
  data: string,
): Promise<ServerReport | undefined> {
  const credentials = readCredentials(data, {readTextIfThere})
  if (!credentials) return undefined
  context.redaction.hide(credentials.clientSecret)
  return askReport((await context.directHttp()).to(new URL(url)), credentials).catch(() => undefined)
}

async function isAlive(context: Context, {url}: Announcement): Promise<boolean> {
  const caller = (await context.directHttp()).to(new URL(url))
  return caller.call({method: 'GET', path: '/api/_info/health-check'}).then(
    ({status}) => status === 200,
    () => false,
  )
}

/** A database of another time, or one that is damaged, is no reason to say nothing of the rest. */
async function countsIn(database: DatabasePlace, now: Date): Promise<ShopCounts | undefined> {
  const {countThingsIn} = await import('../../shop/store/counts.js')
  return countThingsIn(database, () => now).catch(() => undefined)
}
