import {execFileSync} from 'node:child_process'

/** Those of some programs that are not on the PATH. */
export function findMissingPrograms(names: readonly string[]): string[] {
  return names.filter(name => !isInstalled(name))
}

function isInstalled(name: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${name}`], {stdio: 'ignore'})
    return true
  } catch {
    return false
  }
}
