import type {ParseArgsConfig, parseArgs} from 'node:util'

/** The flags of a script of package.json; it ends with its help for `--help`, and with exit 2 for a wrong flag. */
export declare function readFlags<T extends ParseArgsConfig>(
  help: string,
  config?: T,
): ReturnType<typeof parseArgs<T>>
