import {once} from 'node:events'
import type {Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {StorectlError} from '../errors.js'
import {bindError, isLoopback, trackConnections} from '../http/listener.js'
import type {ServedFolder} from '../platform/files/files.js'
import type {FaultInjector} from './faults/active-faults.js'
import {buildApp, type Interceptor} from './http/http.js'
import type {ServerLog} from './http/request-log.js'
import {createAuthentication} from './oauth/bearer.js'
import {type OpenedShop, type OpenShopOptions, openShop} from './open-shop.js'
import type {ServerIdentity} from './routes/control.js'
import {createRoutes} from './routes/routes.js'
import {adaptRefusal} from './rules/edition-refusals.js'
import {checkExpectations, resolveContext} from './rules/packages.js'
import {announce, refuseSecondServer, withdraw} from './runtime/announcement.js'
import {formatServerCommand, type ShopCredentials} from './runtime/credentials.js'
import type {ServerHost, ShopHost, ShopRuntime} from './runtime/runtime.js'
import type {ShopDatabase} from './store/schema/schema.js'

export interface StartOptions extends OpenShopOptions, ListenOptions {
  faults?: FaultInjector
  /** Identity of a server; absent inside a command. */
  identity?: ServerIdentity
  intercept?: Interceptor
  logger?: ServerLog
  /** Files of the page at `/`; without them there is no page. */
  viewer?: ServedFolder
}

/** A shop that answers requests. */
export interface RunningShop {
  db: ShopDatabase
  runtime: ShopRuntime
  /** Without a trailing slash. */
  url: string
  /** Where the payment provider's notifications go, without the token. */
  webhookUrl: string
  /** Only if this created the shop. */
  firstCredentials: ShopCredentials | undefined
  /** Finishes requests in flight, then closes everything. */
  stop(): Promise<void>
}

/**
 * Runs the shop inside a command, on a loopback port that only this process knows.
 *
 * @throws StorectlError as `openShop` and `listen`
 */
export function embedShop(options: OpenShopOptions, shopHost: ShopHost): Promise<RunningShop> {
  return serve(options, shopHost)
}

/**
 * Runs the shop as a server: it announces itself in its data folder, and refuses to be the second one there.
 *
 * @param options `version`: that of the program
 * @throws StorectlError `conflict.server_running`, and as `openShop` and `listen`
 */
export async function startServer(
  {version = '', ...options}: StartOptions & {version?: string},
  shopHost: ServerHost,
): Promise<RunningShop> {
  const {dataFolder} = options
  refuseSecondServer(dataFolder, shopHost)
  const startedAt = shopHost.now().toISOString()
  const running = await serve({...options, identity: {version, startedAt}}, shopHost)
  const {db, runtime, url} = running
  try {
    // The database decides between two that start at once; a write may run again.
    let isOurs = false
    await db.writes.run(async () => {
      if (!isOurs) refuseSecondServer(dataFolder, shopHost)
      const {provider, tokenPrefix} = runtime
      announce(dataFolder, {url, ...shopHost.process, startedAt, provider, tokenPrefix}, shopHost)
      isOurs = true
    })
  } catch (error) {
    await running.stop()
    throw error
  }
  const stop = async () => {
    withdraw(dataFolder, shopHost)
    await running.stop()
  }
  return {...running, stop}
}

async function serve(options: StartOptions, shopHost: ShopHost): Promise<RunningShop> {
  const opened = await openShop(options, shopHost)
  try {
    const listening = await listen(await createApp(opened, options), options)
    return startShop(opened, listening)
  } catch (error) {
    await opened.close()
    throw opened.firstCredentials ? addCredentialsHint(error, options.dataFolder) : error
  }
}

/** If a new shop cannot listen, the error says where its credentials are, because no later start prints them. */
function addCredentialsHint(error: unknown, dataFolder: string): unknown {
  if (!(error instanceof StorectlError)) return error
  return new StorectlError(error.code, `${error.message} The shop and its credentials were created.`, {
    nextSteps: [...error.nextSteps, formatServerCommand('credentials', dataFolder)],
    cause: error,
  })
}

async function createApp({db, runtime, accessTokens}: OpenedShop, options: StartOptions): Promise<Server> {
  const {identity, faults, intercept, logger, viewer, host = '127.0.0.1'} = options
  const {reads} = db
  const routes = createRoutes({db, runtime, accessTokens, server: identity, faults})
  const underAnyName = !isLoopback(host)
  const findPage =
    viewer &&
    (await import('./viewer/viewer.js')).createPageFinder({runtime, routes, files: viewer, underAnyName})
  return buildApp({
    routes,
    authenticate: createAuthentication({reads, accessTokens, edition: runtime.edition}),
    resolveContext: headers => resolveContext(reads, headers),
    checkExpectations: headers => checkExpectations(runtime, headers),
    adaptRefusal: refusal => adaptRefusal(runtime.edition, refusal),
    readsTypesExactly: runtime.edition.readsTypesExactly,
    ...(runtime.edition.contentPolicy ? {contentPolicy: runtime.edition.contentPolicy} : {}),
    ...(intercept ? {intercept} : {}),
    ...(logger ? {logger} : {}),
    ...(findPage ? {findPage} : {}),
    limits: runtime.limits,
  })
}

function startShop({db, runtime, firstCredentials, close}: OpenedShop, {url, stop}: Listening): RunningShop {
  return {
    db,
    runtime,
    url,
    webhookUrl: `${url}/api/_action/${runtime.provider}/webhook/execute`,
    firstCredentials,
    stop: async () => {
      await stop()
      await close()
    },
  }
}

interface ListenOptions {
  /** Default 127.0.0.1. */
  host?: string
  /** 0 lets the system choose. Default 0. */
  port?: number
}

/** A server that accepts connections. */
export interface Listening {
  /** Base URL without a trailing slash, `http://127.0.0.1:41234`. */
  url: string
  /** Accepts no new connections, finishes requests in flight, and resolves after the last one. */
  stop(): Promise<void>
}

/** Next steps for a port in use, and for an address that this machine does not have. */
const NEXT = {
  taken: ['storectl server start --port 0', 'storectl server status'],
  unusable: ['storectl server start --host 127.0.0.1 --port 0'],
}

/**
 * Binds the app to an address.
 *
 * @throws StorectlError `conflict.port_in_use`, `usage.address_not_usable`
 */
export async function listen(app: Server, options: ListenOptions = {}): Promise<Listening> {
  const {host = '127.0.0.1', port = 0} = options
  const letGo = trackConnections(app)
  try {
    app.listen({host, port})
    await once(app, 'listening')
  } catch (error) {
    throw bindError(error as NodeJS.ErrnoException, {host, port}, NEXT)
  }
  const address = app.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {url: `http://${name}:${address.port}`, stop: () => waitUntilStopped(app, letGo)}
}

function waitUntilStopped(app: Server, letGo: () => void): Promise<void> {
  const closed = new Promise<void>(resolve => app.close(() => resolve()))
  letGo()
  return closed
}
