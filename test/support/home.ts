import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
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

/** Has a home take what was lost at a shop for not applied at once, where nobody is at work any more. */
export function presumeLostAtOnce(home: string, url: string): string {
  const settings = {profiles: {shop: {url, presumeLostAfter: '0s'}}}
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings), {mode: 0o600})
  return home
}
