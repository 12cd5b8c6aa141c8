import {createUsageError} from '../errors.js'
import type {SubmitFlags} from '../flags/order-flags.js'

/** Files that a submit reads and writes, as on the command line. */
export interface SubmitFiles extends Pick<SubmitFlags, 'schema' | 'rejects' | 'report'> {
  /** `-` stands for stdin. */
  readonly files: readonly string[]
}

/**
 * Refuses to read stdin twice, and to write a file that is already read or written: an interruption would otherwise lose
 * the orders that were not sent yet.
 *
 * @param locate the absolute path of a file, with links resolved
 * @throws StorectlError `usage.stdin_twice`, `usage.same_file`
 */
export function requireDifferentFiles(
  {files, schema, rejects, report}: SubmitFiles,
  locate: (path: string) => string,
): void {
  if (files.filter(file => file === '-').length > 1) {
    throw createUsageError('stdin_twice', 'stdin can be read only once: use - once.')
  }
  const taken = [...files.filter(file => file !== '-'), ...(schema === undefined ? [] : [schema])].map(locate)
  for (const [flag, path] of Object.entries({rejects, report})) {
    if (path === undefined) continue
    if (taken.includes(locate(path))) {
      throw createUsageError('same_file', `--${flag} ${path} names a file that is already in use.`, [
        `--${flag} with another name`,
      ])
    }
    taken.push(locate(path))
  }
}
