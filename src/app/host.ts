import {homedir} from 'node:os'
import {type Clock, machineClock} from '../platform/clock.js'
import type {Env} from '../platform/environment.js'
import {Interruption, listenForSignals} from '../platform/interruption.js'
import {type Sink, type Source, sinkTo} from '../platform/streams.js'
import {type Prompts, terminalPrompts} from '../platform/terminal/prompts.js'

/** The machine that a command runs on. A test replaces its parts; files and network are real there too. */
export interface Host {
  readonly env: Env
  readonly clock: Clock
  readonly stdin: Source
  readonly stdout: Sink
  readonly stderr: Sink
  readonly interruption: Interruption
  readonly platform: NodeJS.Platform
  /** `storectl/0.1.0 linux-x64 node-v20.20.2` */
  readonly userAgent: string
  /** The folder of storectl's own package.json. */
  readonly root: string
  /** The user's home folder, `undefined` where there is none. */
  readonly home: string | undefined
  /** The working folder. */
  readonly folder: () => string
  readonly prompts: (possible: boolean) => Prompts
}

/** The machine as it is, for the process that runs the command. */
export function machineHost(process: NodeJS.Process, userAgent: string, root: string): Host {
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
    root,
    home: homeFolder(),
    folder: () => process.cwd(),
    prompts: possible =>
      terminalPrompts(possible, {input: () => process.stdin, output: () => process.stderr, interruption}),
  }
}

function homeFolder(): string | undefined {
  try {
    return homedir() || undefined
  } catch {
    return undefined
  }
}
