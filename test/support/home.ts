import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'

/** A folder of the test's own, removed when the test ends. */
export function temporaryFolder(name = 'storectl'): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}
