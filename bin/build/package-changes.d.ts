/** One change that the build makes in a package. */
export type PackageChange = (ModuleChange | FileChange | TextChange) & Worth

/** What would be worse without it: one of the three. */
interface Worth {
  /** Milliseconds of processor time of a command, on Node 20. */
  readonly gain?: number
  /** KiB of the package. */
  readonly size?: number
  /** Tests that fail without it: a path below test/ without its ending. */
  readonly test?: string
}

interface ModuleChange {
  readonly why: string
  readonly module: string
  readonly importer: string
  readonly code: string
}

interface FileChange {
  readonly why: string
  readonly file: string
  readonly sha256: string
  readonly code: string
}

interface TextChange {
  readonly why: string
  readonly file: string
  readonly before: string | RegExp
  readonly after: string
}

export declare const packageChanges: readonly PackageChange[]
