import {join} from 'node:path'
import {webhookTokenFrom} from '../../auth/credentials/secrets.js'
import {mendOfBundled} from '../../auth/credentials/sign-in-commands.js'
import {LOCAL, type Profile} from '../../auth/profile/profile.js'
import {unkeptTokens} from '../../auth/token/token-source.js'
import type {Context} from '../../context.js'
import {StorectlError} from '../../errors.js'
import {
  makePrivateFolder,
  readTextIfThere,
  removeIfThere,
  sizeIfThere,
  writeWhole,
} from '../../platform/files/files.js'
import {isRunning, thisProcess} from '../../platform/processes.js'
import {type Announcement, findServer} from '../../shop/announcement.js'
import {askReport, type ServerReport} from '../../shop/control/control.js'
import {type FaultClient, faultClient} from '../../shop/control/fault-client.js'
import {readCredentials} from '../../shop/credentials.js'
import type {ServerWorld} from '../../shop/runtime/shop-host.js'
import {type ServerStatus, serverStatus} from '../../shop/status.js'
import type {ShopCounts} from '../../shop/store/counts.js'
import type {DatabasePlace} from '../../storage/engine/database.js'
import {type Place, signingIn} from './connect.js'
import {databasePlace} from './locate-database.js'
import {whenThere} from './records.js'

/** A bundled shop that answers. */
interface Answering {
  readonly url: string
  readonly provider: string
  readonly tokenPrefix: string
}

/**
 * The bundled shop: the server that runs, or else one that is started inside this command and ends with it. It signs in
 * by itself, with the credentials that its first start has written down.
 *
 * @throws StorectlError `auth.no_local_credentials`, and as opening the shop's database does
 */
export async function localPlace(context: Context): Promise<Place> {
  const folder = context.shopFolder
  const {url, provider, tokenPrefix} = runningServer(folder) ?? (await embedded(context, folder))
  const credentials = readCredentials(folder, {readTextIfThere})
  if (!credentials) throw noCredentials(folder)
  const {clientId, clientSecret, password, webhookToken} = credentials
  for (const secret of [clientSecret, password, webhookToken]) context.redaction.hide(secret)
  const profile: Profile = {
    name: LOCAL,
    url: new URL(url),
    provider,
    tokenPrefix,
    grant: 'client_credentials',
    clientId,
    protected: false,
  }
  const {env, clock} = context.host
  const caller = (await context.directHttp()).to(profile.url)
  const mend = mendOfBundled()
  return {
    profile,
    mend,
    unsigned: caller,
    tokens: unkeptTokens(
      {kind: 'client', clientId, clientSecret},
      {caller: signingIn(context, caller), clock, mend},
    ),
    webhookToken: webhookTokenFrom(env, profile) ?? webhookToken,
  }
}

/** The bundled server that listens on a data folder, `undefined` when none does. */
export function runningServer(folder: string) {
  return findServer(folder, {files: {readTextIfThere}, isRunning})
}

/**
 * The faults of the bundled server that listens on a data folder.
 *
 * @throws StorectlError `unavailable.server_down`, `auth.no_local_credentials`
 */
export async function runningFaults(context: Context, folder: string): Promise<FaultClient> {
  const server = runningServer(folder)
  if (!server) {
    throw new StorectlError('unavailable.server_down', `No server runs on ${folder}.`, {
      nextSteps: ['storectl server start'],
    })
  }
  const credentials = readCredentials(folder, {readTextIfThere})
  if (!credentials) throw noCredentials(folder)
  context.redaction.hide(credentials.clientSecret)
  return faultClient((await context.directHttp()).to(new URL(server.url)), credentials)
}

async function embedded(context: Context, dataFolder: string): Promise<Answering> {
  const {embedShop} = await import('../../shop/shop.js')
  const running = await embedShop({dataFolder}, serverWorld(context))
  context.closeAtEnd(() => running.stop())
  const {provider, tokenPrefix} = running.runtime
  return {url: running.url, provider, tokenPrefix}
}

/** The machine as the bundled server needs it. */
export function serverWorld(context: Context): ServerWorld {
  const {host} = context
  return {
    now: () => host.clock.now(),
    openStore: async (file, now) => {
      const {openShopStore} = await import('../../shop/store/store.js')
      const {databasePlace} = await import('./locate-database.js')
      return openShopStore(await databasePlace(context, file), now)
    },
    files: {readTextIfThere, writeWhole, makePrivateFolder, removeIfThere},
    process: thisProcess(),
    isRunning,
  }
}

function noCredentials(folder: string): StorectlError {
  return new StorectlError(
    'auth.no_local_credentials',
    `The credentials of the shop in ${folder} are gone.`,
    {
      nextSteps: [
        'where servers share a PostgreSQL: copy the file credentials of the one that made the shop into that folder',
        'storectl server credentials --reset   # new ones, for all of them',
      ],
    },
  )
}

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
  const {SHOP} = await import('../../shop/store/schema/contents.js')
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
