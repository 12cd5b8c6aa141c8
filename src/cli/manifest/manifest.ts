import type {Command} from '@oclif/core/command'

/** Everything that `storectl` can do, without having loaded any of it. */
export interface Program {
  readonly about: About
  /** The folder of package.json. */
  readonly root: string
  /** Loads a command's class by its id, the words joined by colons: `customer:search`. */
  readonly commands: Readonly<Record<string, () => Promise<{readonly default: Command.Class}>>>
  /** What the commands take, as oclif writes it down; read only when help or completion asks. */
  readonly manifest: () => Promise<Manifest>
}

/** The part of package.json that is needed while running. */
export interface About {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly oclif: {readonly topics?: Readonly<Record<string, {readonly description: string}>>}
}

export interface Manifest {
  readonly commands: Readonly<Record<string, Command.Cached>>
}

/** Key under which a command finds the program that it is part of, on oclif's load options. */
export const PROGRAM = Symbol.for('storectl.program')

/** The program that a command was started by. */
export function getProgram(config: Command['config']): Program {
  return (config.options as unknown as {readonly [PROGRAM]: Program})[PROGRAM]
}
