import {createHash} from 'node:crypto'
import {StorectlError} from '../errors.js'

/** Where the build writes down what it made. */
const RECORD = 'dist/build.json'

interface BuildRecord {
  readonly kind: 'npm' | 'executable'
  /** The commit of the sources; absent where they were built outside of a clone. */
  readonly commit?: string
  readonly committedAt?: string
  readonly isModified?: boolean
  /** SHA-256 in hexadecimal of each file of the package that is built or run, by its path. */
  readonly files: Readonly<Record<string, string>>
}

/** What is installed here, and whether it is what was built. */
export interface CheckedBuild {
  readonly version: string
  /** `npm`, or `executable` where all is in one file. */
  readonly kind: BuildRecord['kind']
  /** `null` where it was built outside of a clone. */
  readonly commit: string | null
  /** When that commit was made, RFC 3339. */
  readonly committedAt: string | null
  /** Whether it was built with changes that are in no commit. */
  readonly modified: boolean
  /** How many files were checked. */
  readonly files: number
  /** Those that are missing or have other bytes than the build gave them. */
  readonly changed: readonly string[]
}

export const BUILD_VIEW = {
  noun: ['build', 'builds'] as const,
  id: 'commit',
  columns: [
    {path: 'version'},
    {path: 'kind'},
    {path: 'commit'},
    {path: 'committedAt', kind: 'time'},
    {path: 'modified'},
    {path: 'files', kind: 'number'},
    {path: 'changed', kind: 'lines'},
  ],
} as const

/**
 * Compares the files that are installed with the record of their build. Who can change the files can change the record,
 * too: it finds a broken installation and no attack, which the signature of a release does.
 *
 * @param readPackageFile throws where there is no such file
 * @throws StorectlError `usage.no_build_record`
 */
export function checkBuild(version: string, readPackageFile: (path: string) => Buffer): CheckedBuild {
  const {kind, commit, committedAt, isModified, files} = readRecord(readPackageFile)
  const changed = Object.entries(files).filter(
    ([path, digest]) => digest !== digestFile(path, readPackageFile),
  )
  return {
    version,
    kind,
    commit: commit ?? null,
    committedAt: committedAt ?? null,
    modified: isModified ?? false,
    files: Object.keys(files).length,
    changed: changed.map(([path]) => path),
  }
}

function readRecord(readPackageFile: (path: string) => Buffer): BuildRecord {
  try {
    return JSON.parse(readPackageFile(RECORD).toString('utf8')) as BuildRecord
  } catch (cause) {
    const message = `This installation has no record of its build (${RECORD}): its files cannot be checked.`
    throw new StorectlError('usage.no_build_record', message, {
      nextSteps: ['npm install --global storectl'],
      cause,
    })
  }
}

function digestFile(path: string, readPackageFile: (path: string) => Buffer): string | undefined {
  try {
    return createHash('sha256').update(readPackageFile(path)).digest('hex')
  } catch {
    return undefined
  }
}
