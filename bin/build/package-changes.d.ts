/** One change that the build makes in a package. */
export type PackageChange = ModuleChange | FileChange | TextChange

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
