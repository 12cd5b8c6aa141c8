import {existsSync, readdirSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'

/** Fast tests alone: the others take too long after each change. */
const FAST = /^(?!.*\.(e2e|long|browser)\.)[\w.-]+\.test\.ts$/

/**
 * The fast tests of a source file: the one of its name, else those of the folder that mirrors its own, or of the nearest
 * one above it.
 *
 * @param source below `src/`: `runs/pool/pool.ts`
 * @param tests the folder `test`
 */
export function findTestsOfSource(source: string, tests: string): string[] {
  const own = join(tests, dirname(source), `${basename(source, '.ts')}.test.ts`)
  if (existsSync(own)) return [own]
  for (let folder = dirname(source); ; folder = dirname(folder)) {
    const place = join(tests, folder)
    const found = existsSync(place) ? readdirSync(place).filter(name => FAST.test(name)) : []
    if (found.length > 0) return found.map(name => join(place, name))
    if (folder === '.') return []
  }
}
