/** A command of the page. */
export interface ShownCommand {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly method: string
  readonly path: string
  readonly tag: string
  /** For a shell with the variables of `SETUP`. */
  readonly command: string
}

export const SETUP: string
export function describeCommands(document: unknown, origin: string): ShownCommand[]
