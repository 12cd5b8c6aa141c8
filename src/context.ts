import {homedir} from 'node:os'
import {type Paths, storectlPaths} from './config/paths.js'
import type {EverywhereFlags} from './flags.js'
import {type Http, openHttp} from './http/client.js'
import {type Clock, machineClock} from './platform/clock.js'
import {Interruption, listenForSignals} from './platform/interruption.js'
import {type Prompts, terminalPrompts} from './platform/prompts.js'
import {type Sink, type Source, sinkTo} from './platform/streams.js'

export type Env = Readonly<Record<string, string | undefined>>

/** The parts of the world that a test replaces; everything else is real there too. */
export interface World {
  readonly env: Env
  readonly clock: Clock
  readonly stdin: Source
  readonly stdout: Sink
  readonly stderr: Sink
  readonly interruption: Interruption
  readonly platform: NodeJS.Platform
  /** `storectl/0.1.0 linux-x64 node-v20.20.2` */
  readonly userAgent: string
  /** The user's home folder, `undefined` where there is none. */
  readonly home: string | undefined
  readonly prompts: (possible: boolean) => Prompts
}

/**
 * The composition root: the real world behind small interfaces, each part opened at its first use and closed at the
 * end of the command.
 */
export class Context {
  #flags: EverywhereFlags = {}
  #http: Http | undefined
  readonly #closers: (() => Promise<void> | void)[] = []

  constructor(readonly world: World) {}

  /** Takes the flags that every command has; called once, when the command line has been parsed. */
  use(flags: EverywhereFlags): void {
    this.#flags = flags
  }

  get flags(): EverywhereFlags {
    return this.#flags
  }

  get paths(): Paths {
    const {env, home, platform} = this.world
    return storectlPaths(env, home, platform)
  }

  get prompts(): Prompts {
    const {env, stdin, stderr} = this.world
    const wanted = this.#flags.input !== false && !env.CI
    return this.world.prompts(wanted && stdin.isTerminal && stderr.isTerminal)
  }

  /** Connections to shops, proxies and authorities as the settings say. */
  async http(): Promise<Http> {
    if (!this.#http) {
      const {env, clock, userAgent} = this.world
      const caFile = this.#flags['ca-file']
      const ca =
        caFile === undefined ? undefined : await (await import('node:fs/promises')).readFile(caFile, 'utf8')
      const timeoutMs = this.#flags.timeout ?? 30_000
      const http = openHttp({connectTimeoutMs: 5000, timeoutMs, connections: 64, env, clock, userAgent, ca})
      this.#closers.push(() => http.close())
      this.#http = http
    }
    return this.#http
  }

  /** Closes what was opened, the last first. */
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close()
  }
}

/** The machine as it is, for the process that runs the command. */
export function machineWorld(process: NodeJS.Process, userAgent: string): World {
  const interruption = new Interruption()
  listenForSignals(interruption, process)
  return {
    env: process.env,
    clock: machineClock,
    stdin: {
      get isTerminal() {
        return process.stdin.isTTY === true
      },
      open: () => process.stdin,
    },
    stdout: sinkTo(() => process.stdout, 'stdout', interruption),
    stderr: sinkTo(() => process.stderr, 'stderr'),
    interruption,
    platform: process.platform,
    userAgent,
    home: homeFolder(),
    prompts: possible =>
      terminalPrompts(
        possible,
        () => process.stdin,
        () => process.stderr,
      ),
  }
}

function homeFolder(): string | undefined {
  try {
    return homedir() || undefined
  } catch {
    return undefined
  }
}
