/** @see ./flags.js */
export declare const HELP: string

export declare const VERSIONS: readonly string[]

export declare function askVersion(url: string): Promise<string>

export declare function understand(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  readText: (file: string) => string,
):
  | {help: string}
  | {mistake: string}
  | {rows: string | undefined; asks?: string; environment: Record<string, string>}
