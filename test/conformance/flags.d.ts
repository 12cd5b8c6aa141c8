/** @see ./flags.js */
export declare const HELP: string

export declare function understand(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  readText: (file: string) => string,
): {help: string} | {mistake: string} | {rows: string | undefined; environment: Record<string, string>}
