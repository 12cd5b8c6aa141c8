import type {Clock} from '../platform/clock.js'
import {createFaultList} from './faults/active-faults.js'
import {createFaultInterceptor} from './faults/faults.js'
import type {FaultRule} from './faults/parse.js'
import type {ServerLog} from './http/request-log.js'
import {saveProviderAuthority} from './provider/signing/identity.js'
import type {ShopCredentials} from './runtime/credentials.js'
import type {ServerHost} from './runtime/runtime.js'
import {type StartOptions, startServer} from './shop.js'

export interface ServeOptions extends Omit<StartOptions, 'faults' | 'intercept' | 'logger'> {
  readonly rules: readonly FaultRule[]
  /** Seed of the faults' random numbers. Default 1. */
  readonly seed?: number
  /** Version of the program. */
  readonly version: string
}

export interface ServeDeps {
  readonly host: ServerHost
  readonly logger: ServerLog
  readonly sleep: Clock['sleep']
  /** Ends the server. */
  readonly stopping: AbortSignal
  /** Called once it accepts connections. */
  readonly onReady: (started: Started) => Promise<void>
}

/** A server that accepts connections, as `server start -o json` prints it in one line. */
export interface Started {
  readonly url: string
  readonly pid: number
  /** The data folder. */
  readonly data: string
  /** Without the token. */
  readonly webhookUrl: string
  /** Only at the first start of the folder's shop, else `null`. */
  readonly credentials: ShopCredentials | null
}

/**
 * Runs the shop until it is stopped; requests in flight are finished first.
 *
 * @throws StorectlError as `startServer`
 */
export async function runServer({rules, seed, ...options}: ServeOptions, deps: ServeDeps): Promise<void> {
  const {host, logger, sleep, stopping} = deps
  const faults = createFaultList(rules, seed)
  const running = await startServer(
    {...options, faults, logger, intercept: createFaultInterceptor(faults, sleep)},
    host,
  )
  try {
    await saveProviderAuthority(running.db, options.dataFolder, host)
    await deps.onReady({
      url: running.url,
      pid: host.process.pid,
      data: options.dataFolder,
      webhookUrl: running.webhookUrl,
      credentials: running.firstCredentials ?? null,
    })
    await waitForAbort(stopping)
    logger.info('stopping')
  } finally {
    await running.stop()
  }
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), {once: true})
  })
}
