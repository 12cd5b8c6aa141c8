import {join, resolve} from 'node:path'
import type {Adapters} from './app/adapters/adapters.js'
import type {Place} from './app/adapters/connect.js'
import type {Lookups, OpenInbox} from './app/adapters/records.js'
import type {OpenCapture} from './app/capture.js'
import type {Host} from './app/host.js'
import type {SchemaWish} from './app/search.js'
import type {Credentials} from './auth/credentials/credentials.js'
import {secretsIn} from './auth/credentials/secrets.js'
import type {LoginDeps} from './auth/login/login.js'
import type {ProfileSources} from './auth/login/profile-view.js'
import type {StatusSources} from './auth/login/sign-in-status.js'
import type {Chosen} from './auth/profile/choose-profile.js'
import type {Connection} from './auth/profile/profile.js'
import type {EverywhereFlags} from './cli/flags.js'
import {type Paths, shopFolderOf, storectlPaths} from './config/paths.js'
import type {Settings} from './config/settings.js'
import type {ShopEntities} from './customer/fields/entity-schema.js'
import type {Databases} from './database/database.js'
import type {Check} from './doctor/doctor.js'
import {usageError} from './errors.js'
import type {Certificate} from './gateway/webhook-listener.js'
import type {Http} from './http/client.js'
import {Redaction} from './output/redaction/redaction.js'
import type {Format} from './output/view.js'
import type {Env} from './platform/environment.js'
import type {FileOutput} from './platform/files/atomic-file.js'
import type {JsonStore} from './platform/files/json-store.js'
import type {ServedFolder} from './platform/files/static-files.js'
import type {Processes} from './platform/processes.js'
import type {Sink} from './platform/streams.js'
import {BottomLine} from './platform/terminal/bottom-line.js'
import type {Input, ScratchFile} from './platform/terminal/input.js'
import type {Logger, LogLevel} from './platform/terminal/logger.js'
import type {ProgressBar} from './platform/terminal/progress-bar.js'
import type {Prompts} from './platform/terminal/prompts.js'
import type {SecretPlace} from './platform/terminal/secret-input.js'
import type {Records} from './records/records.js'
import type {Announcement} from './shop/announcement.js'
import type {FaultClient} from './shop/control/fault-client.js'
import type {ServerWorld} from './shop/runtime/shop-host.js'
import type {ServerStatus} from './shop/status.js'
import type {Provider} from './webhook/provider/provider.js'
import type {RegisterDeps} from './webhook/registration/registration.js'

/**
 * The composition root: the machine behind small interfaces, each part opened at its first use and closed at the
 * end of the command.
 */
export class Context {
  /** Secrets that were read; none of them is ever written to stderr. */
  readonly redaction = new Redaction()
  readonly host: Host
  #flags: EverywhereFlags = {}
  #http: Http | undefined
  #directHttp: Http | undefined
  #stores: Promise<Stores> | undefined
  #settings: Promise<Settings> | undefined
  #loaded: Settings | undefined
  #connection: Promise<Connection> | undefined
  #place: Promise<Place> | undefined
  #records: Promise<Records> | undefined
  readonly #closers: (() => Promise<void> | void)[] = []

  readonly #bottom = new BottomLine()

  /** Where the bar is drawn. */
  readonly #terminal: Sink

  constructor(host: Host) {
    this.#terminal = host.stderr
    this.host = {
      ...host,
      stdout: this.#bottom.above(host.stdout),
      stderr: this.#bottom.above(redacted(host.stderr, this.redaction)),
    }
    for (const secret of secretsIn(host.env)) this.redaction.hide(secret)
  }

  /**
   * Takes the flags that every command has; called once, when the command line has been parsed. Settings that cannot be
   * read are no matter until something depends on them.
   */
  async use(flags: EverywhereFlags): Promise<void> {
    this.#flags = flags
    this.#loaded = await this.settings().catch(() => undefined)
  }

  /** The format that flag, environment or settings ask for, `undefined` when none does. */
  get output(): Format | undefined {
    return this.#loaded ? this.#loaded.value('output') : this.#flags.json ? 'json' : this.#flags.output
  }

  get flags(): EverywhereFlags {
    return this.#flags
  }

  get paths(): Paths {
    const {env, home, platform} = this.host
    return storectlPaths(env, home, platform)
  }

  /** Folder of the bundled shop's secrets and of what its server announces: one for each database that it may lie in. */
  get shopFolder(): string {
    return shopFolderOf(this.paths.shopFolder, this.#loaded, this.host.env)
  }

  get prompts(): Prompts {
    const {env, stdin, stderr} = this.host
    const wanted = !this.#flags['no-input'] && !env.CI && env.TERM !== 'dumb'
    return this.host.prompts(wanted && stdin.isTerminal && stderr.isTerminal)
  }

  /** A secret from where flags say that it is; from then on no text on stderr holds it. */
  async secret(place: SecretPlace): Promise<string | undefined> {
    const {readSecret} = await import('./platform/terminal/secret-input.js')
    const secret = await readSecret(place, {source: this.host.stdin, prompts: () => this.prompts})
    for (const line of secret?.split('\n') ?? []) {
      this.redaction.hide(line)
      this.redaction.hideHeader(line.replace(/^[\w-]+:/, ''))
    }
    return secret
  }

  /** What the factories of `app/` open things with. */
  get adapters(): Adapters {
    return {
      prompts: this.prompts,
      connect: () => this.connect(),
      openRecords: () => this.records(),
      openInbox: () => this.inbox(),
      openProvider: () => this.provider(),
      openInput: path => this.openInput(path),
      openScratch: () => this.openScratch(),
      openOutput: (path, replaces) => this.openOutput(path, replaces),
      closeAtEnd: close => this.closeAtEnd(close),
    }
  }

  /** The files of settings and of secrets. */
  stores(): Promise<Stores> {
    this.#stores ??= import('./app/adapters/stores.js').then(({openStores}) => openStores(this))
    return this.#stores
  }

  /** Settings by flag > environment > project > user > default. */
  settings(): Promise<Settings> {
    this.#settings ??= import('./app/adapters/stores.js').then(({openSettings}) => openSettings(this))
    return this.#settings
  }

  /** The shop that the command talks to, by flag > environment > project file > current profile > the bundled shop. */
  connect(): Promise<Connection> {
    this.#connection ??= import('./app/adapters/connect.js').then(({connect}) => connect(this))
    return this.#connection
  }

  /** The place that was chosen, before anything is opened. */
  async chosen(): Promise<Chosen> {
    return (await import('./app/adapters/connect.js')).choose(this)
  }

  /** The place that the command talks to, with its tokens. */
  place(): Promise<Place> {
    this.#place ??= import('./app/adapters/connect.js').then(({choose, placeOf}) =>
      choose(this).then(chosen => placeOf(this, chosen)),
    )
    return this.#place
  }

  /** Inbox, runs and ledger. */
  records(): Promise<Records> {
    this.#records ??= import('./app/adapters/records.js').then(({openOwnRecords}) => openOwnRecords(this))
    return this.#records
  }

  /** What is in the inbox of the shop that was chosen; of the bundled shop also what it has received by itself. */
  async inbox(): Promise<OpenInbox> {
    return (await import('./app/adapters/records.js')).openInbox(this)
  }

  /** The payment provider's own API, signed in. */
  async provider(): Promise<Provider> {
    return (await import('./app/adapters/provider.js')).openProvider(this)
  }

  /** What a capture needs. @param forwardTo another address of the shop, or `none` */
  async capturing(forwardTo: string | undefined): Promise<OpenCapture> {
    return (await import('./app/capture.js')).openCapture(this, forwardTo)
  }

  /** The certificate that a server of ours shows, from PEM files. */
  async certificate(cert: string | undefined, key: string | undefined): Promise<Certificate | undefined> {
    return (await import('./app/capture.js')).captureCertificate(cert, key)
  }

  /** What looking at the registration of the shop's webhook and mending it needs. */
  async registration(): Promise<RegisterDeps> {
    return (await import('./app/registration.js')).openRegistration(this)
  }

  /**
   * Resolves when the person agrees to a change that concerns the chosen place, without talking to it.
   *
   * @throws StorectlError as `confirmWrite` does
   */
  async confirm(what: string): Promise<void> {
    const {name, profile} = await this.chosen()
    const {confirmWrite} = await import('./auth/profile/confirm-write.js')
    const {yes, confirm} = this.#flags
    await confirmWrite(what, {
      profile: profile ?? {name, protected: false},
      ...{yes: yes === true, confirm, prompts: this.prompts},
    })
  }

  /** The databases of this home. */
  async databases(): Promise<Databases> {
    return (await import('./app/databases.js')).openDatabases(this)
  }

  /** What is looked up in the shop about events, each opened at the first use. */
  async lookups(): Promise<Lookups> {
    return (await import('./app/adapters/records.js')).openLookups(this)
  }

  /** A file, or stdin for `-`. */
  async openInput(path: string): Promise<Input> {
    const {openInput} = await import('./platform/terminal/input.js')
    const {stdin, interruption} = this.host
    const deps = {stdin, spoolFolder: this.paths.state, signal: interruption.stopping}
    const input = await openInput(path, deps)
    this.closeAtEnd(() => input.close())
    return input
  }

  /** A file for what does not fit into memory; gone at the end of the command, whatever happens. */
  async openScratch(): Promise<ScratchFile> {
    const {openScratch} = await import('./platform/terminal/input.js')
    const scratch = await openScratch(this.paths.state)
    this.closeAtEnd(() => scratch.close())
    return scratch
  }

  /** A file to be written as a whole or not at all. @param replaces whether one of that name may be replaced */
  async openOutput(path: string, replaces: boolean): Promise<FileOutput> {
    const {openFileOutput} = await import('./platform/files/atomic-file.js')
    const output = await openFileOutput(resolve(this.host.folder(), path), replaces)
    this.closeAtEnd(() => output.close())
    return output
  }

  /** A bar at the bottom of the terminal, where stderr is one that can redraw a line and a person may sit there. */
  async progressBar(total: number): Promise<ProgressBar | undefined> {
    const {env, stderr} = this.host
    if (!stderr.isTerminal || env.CI || env.TERM === 'dumb') return undefined
    const {openProgressBar} = await import('./platform/terminal/progress-bar.js')
    return openProgressBar(total, this.#terminal, this.#bottom)
  }

  /** How the chosen shop describes its entities; `undefined` for the bundled one, and where it does not tell. */
  async schema(wish: SchemaWish = {}): Promise<ShopEntities | undefined> {
    return (await import('./app/search.js')).openSchema(this, wish)
  }

  /** Everything that may be wrong, to be looked at. */
  async doctor(): Promise<Check[]> {
    return (await import('./app/doctor.js')).openDoctor(this)
  }

  /** What there is to say about profiles and their tokens. */
  async statusSources(): Promise<StatusSources> {
    return (await import('./app/login.js')).statusSources(this)
  }

  /** The profiles and the current one's name, whatever flags and environment choose for this command. */
  async profileSources(): Promise<ProfileSources> {
    return (await import('./app/login.js')).profileSources(this)
  }

  /** What signing in needs. */
  async loginDeps(): Promise<LoginDeps> {
    return (await import('./app/login.js')).loginDeps(this)
  }

  /** The bundled server that listens, `undefined` when none does. */
  async bundledServer(dataFolder = this.shopFolder): Promise<Announcement | undefined> {
    return (await import('./app/adapters/local-shop.js')).runningServer(dataFolder)
  }

  /** The faults of the bundled server that listens. */
  async bundledFaults(dataFolder: string): Promise<FaultClient> {
    return (await import('./app/adapters/local-shop.js')).runningFaults(this, dataFolder)
  }

  /** How things stand with the bundled shop of a data folder. */
  async bundledStatus(dataFolder: string): Promise<ServerStatus> {
    return (await import('./app/adapters/local-shop.js')).bundledStatus(this, dataFolder)
  }

  /**
   * The bundled shop's data folder: the given one, seen from the working folder, or its own.
   *
   * @throws StorectlError `usage.data` for an empty name, which would be the working folder: an unset variable's value
   */
  dataFolder(given: string | undefined): string {
    if (given === '') throw usageError('data', '--data is empty: name a folder, or leave it out.')
    return given === undefined ? this.shopFolder : resolve(this.host.folder(), given)
  }

  /** The machine as the bundled server needs it. */
  async serverWorld(): Promise<ServerWorld> {
    return (await import('./app/adapters/local-shop.js')).serverWorld(this)
  }

  /** What the bundled server's page is made of. @param root the folder of package.json */
  async viewer(root: string): Promise<ServedFolder> {
    return (await import('./platform/files/static-files.js')).servedFolder(join(root, 'dist', 'viewer'))
  }

  /** A log of JSON lines on stderr. */
  async log(level: LogLevel): Promise<Logger> {
    return (await import('./platform/terminal/logger.js')).openLog(this.host.stderr, level)
  }

  /** Other processes of this machine. */
  async processes(): Promise<Processes> {
    return (await import('./platform/processes.js')).processes(this.host.clock)
  }

  /** Connections to shops, proxies and authorities as the settings say. */
  async http(): Promise<Http> {
    this.#http ??= await this.#openHttp(this.host.env)
    return this.#http
  }

  /** Connections that pass every proxy by: to the bundled shop on this machine. */
  async directHttp(): Promise<Http> {
    this.#directHttp ??= await this.#openHttp({})
    return this.#directHttp
  }

  /** Has something closed at the end of the command, before what was opened earlier. */
  closeAtEnd(close: () => Promise<void> | void): void {
    this.#closers.push(close)
  }

  /** Closes what was opened, the last first. */
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close()
  }

  async #openHttp(env: Env): Promise<Http> {
    const {openConfiguredHttp} = await import('./app/adapters/adapters.js')
    const http = await openConfiguredHttp(this, env)
    this.closeAtEnd(() => http.close())
    return http
  }
}

/** The files that storectl keeps for its user. */
export interface Stores {
  readonly settings: JsonStore
  readonly credentials: Credentials
  /** Folder of locks. */
  readonly locks: string
}

function redacted(sink: Sink, redaction: Redaction): Sink {
  return {
    get isTerminal() {
      return sink.isTerminal
    },
    get columns() {
      return sink.columns
    },
    write: text => sink.write(typeof text === 'string' ? redaction.clean(text) : text),
  }
}
