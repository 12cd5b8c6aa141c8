import {mkdirSync, mkdtempSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {inject, onTestFinished} from 'vitest'

/** A folder of the test's own, removed when the test ends. */
export function temporaryFolder(name = 'storectl'): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}

/** A home of an end-to-end test's own, where processes find compiled code, as at every start but the first. */
export function warmHome(): string {
  const home = temporaryFolder()
  mkdirSync(join(home, 'cache'), {mode: 0o700})
  symlinkSync(inject('compiledCode'), join(home, 'cache', 'code'))
  return home
}
