import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {rolldown} from 'rolldown'

const ROOT = join(import.meta.dirname, '../..')

export interface Script {
  /** Path of one file that Node runs as it is. */
  readonly file: string
  remove(): void
}

/** Makes a TypeScript file that several processes are to run into one of JavaScript, where Node finds the packages. */
export async function script(entry: string): Promise<Script> {
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.test-script-'))
  const file = join(folder, 'script.mjs')
  const bundle = await rolldown({input: join(ROOT, entry), external: /^[^./]/, logLevel: 'silent'})
  await bundle.write({file, format: 'esm', codeSplitting: false})
  return {file, remove: () => rmSync(folder, {recursive: true, force: true})}
}
