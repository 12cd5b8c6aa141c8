import type {Connection} from '../../auth/profile/profile.js'
import type {GlobalFlags} from '../../flags/global-flags.js'
import type {Http} from '../../http/client.js'
import {type Clock, shiftClock} from '../../platform/clock.js'
import {memoize} from '../../platform/memoize.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Provider} from '../../webhook/provider/provider.js'
import type {Host} from '../host.js'
import type {EventVerifier, VerifierReach} from '../signatures/verifier.js'
import {createShopChooser, type ShopChooser} from './choose-shop.js'
import type {Endpoint} from './endpoint.js'
import {type CommandFiles, openFiles} from './files.js'
import {type Home, openHome} from './home.js'
import type {OpenInbox} from './inbox.js'
import type {OwnRecords} from './records.js'

/** Opens what is outside the process; each part at its first use, and closed at the end of the command. */
export interface Adapters extends ShopChooser {
  readonly options: GlobalFlags
  /** The typed command line, quoted for a shell; runs store it. */
  readonly commandLine: string
  /** Settings, profiles and secrets of this home. */
  readonly home: Home
  /** Files that the command line names. */
  readonly files: CommandFiles
  readonly prompts: Prompts
  /** Connections with the time-outs, authorities and proxies of the settings; `direct` bypasses every proxy. */
  openHttp(way?: 'direct'): Promise<Http>
  /** The chosen shop with its tokens; the bundled one is started if no server runs. */
  openEndpoint(): Promise<Endpoint>
  /** Signed calls to the chosen shop. */
  connect(): Promise<Connection>
  /** Inbox, runs and ledger, compared with what this home has seen of them. */
  openRecords(): Promise<OwnRecords>
  /** The clock of the records' database, by which machines that share it agree when a call has ended. */
  openRecordsClock(): Promise<Clock>
  /** The inbox of the chosen shop; of the bundled shop also what it has received by itself. */
  openInbox(): Promise<OpenInbox>
  /** The payment provider's own API, signed in. */
  openProvider(): Promise<Provider>
  /** Checks the provider's signatures of the chosen shop's events. */
  openVerifier(reach: VerifierReach): Promise<EventVerifier>
  /** Closes something at the end of the command, before what was opened earlier. */
  closeAtEnd(close: () => Promise<void> | void): void
}

export interface OpenAdapters extends Adapters {
  /** Closes what was opened, the last first. */
  close(): Promise<void>
}

/** The command that the adapters are for. */
interface TypedCommand {
  /** As typed, quoted for a shell. */
  readonly commandLine?: string
  /** The command's name, if it always needs a chosen shop when unattended. */
  readonly strictCommand?: string | undefined
}

/** Joins the openers of one command: each gets what it needs from those before it. */
export function createAdapters(
  host: Host,
  options: GlobalFlags,
  {commandLine = 'storectl', strictCommand}: TypedCommand = {},
): OpenAdapters {
  const closers: (() => Promise<void> | void)[] = []
  const closeAtEnd: Adapters['closeAtEnd'] = close => void closers.push(close)
  const home = openHome(host, options, () => adapters.prompts)
  const adapters: OpenAdapters = {
    options,
    commandLine,
    home,
    files: openFiles(host, {
      spoolFolder: () => home.paths.state,
      prompts: () => adapters.prompts,
      closeAtEnd,
    }),
    get prompts() {
      return openPrompts(host, options)
    },
    openHttp: createHttpOpener(host, options, {home, closeAtEnd}),
    ...createShopChooser(host, options, {home, strictCommand, openPrompts: () => adapters.prompts}),
    openEndpoint: memoize(async () => {
      const {profile} = await adapters.chooseProfile()
      const deps = {waits: options.wait === true, home, openHttp: adapters.openHttp, closeAtEnd}
      if (profile) return (await import('./endpoint.js')).openEndpoint(host, profile, deps)
      return (await import('./local-shop.js')).openLocalEndpoint(host, deps)
    }),
    connect: memoize(async () => {
      const {connect} = await import('./connection.js')
      const {yes, confirm} = options
      const agreement = {yes: yes === true, confirm, prompts: () => adapters.prompts}
      return connect(host, await adapters.openEndpoint(), agreement)
    }),
    openRecords: memoize(async () => {
      const {openOwnRecords} = await import('./records.js')
      const records = await openOwnRecords(host, home)
      closeAtEnd(() => records.close())
      return records
    }),
    openRecordsClock: memoize(async () => {
      const {measureClockOffset} = await adapters.openRecords()
      return shiftClock(host.clock, await measureClockOffset(() => host.clock.now()))
    }),
    openInbox: async () => {
      const {openInbox} = await import('./inbox.js')
      const {profile} = await adapters.chooseProfile()
      return openInbox(host, home, profile, await adapters.openRecords())
    },
    openProvider: async () => {
      const {openProvider} = await import('./provider.js')
      const {profile} = await adapters.chooseProfile()
      return openProvider(host, profile, adapters)
    },
    openVerifier: async reach => {
      const {openVerifier} = await import('../signatures/verifier.js')
      const {profile} = await adapters.chooseProfile()
      const {signatures} = await adapters.openRecords()
      const findBundledServer = async () =>
        (await import('./local-shop.js')).findRunningServer(home.paths.shopFolder)
      return openVerifier(host, {...adapters, profile, signatures, findBundledServer}, reach)
    },
    closeAtEnd,
    close: async () => {
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
  return adapters
}

function openPrompts(host: Host, options: GlobalFlags): Prompts {
  const {env, stdin, stderr} = host
  const isWanted = !options['no-input'] && !env.CI && env.TERM !== 'dumb'
  return host.openPrompts(isWanted && stdin.isTerminal && stderr.isTerminal)
}

/** Opens connections once per way: through the proxies of the environment, or directly. */
function createHttpOpener(
  host: Host,
  options: GlobalFlags,
  {home, closeAtEnd}: Pick<Adapters, 'home' | 'closeAtEnd'>,
): Adapters['openHttp'] {
  const open = async (proxies: Host['env']) => {
    const {openConfiguredHttp} = await import('./connection.js')
    const isTraced = options.debug === true
    const http = await openConfiguredHttp(host, await home.openSettings(), {proxies, isTraced})
    closeAtEnd(() => http.close())
    return http
  }
  const proxied = memoize(() => open(host.env))
  const direct = memoize(() => open({}))
  return way => (way === 'direct' ? direct() : proxied())
}
