import {type ChildProcess, type StdioOptions, spawn} from 'node:child_process'
import {cpSync, mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {temporaryFolder} from './home.js'

/** A package with the real `bin/` and chunks of the test's own in place of `dist/`. */
export interface Planted {
  readonly root: string
  readonly write: (chunk: string, code: string) => void
  readonly start: (argv?: readonly string[], options?: PlantedOptions) => ChildProcess
}

export interface PlantedOptions {
  /** `STORECTL_HOME`; a folder below the package by default. */
  readonly home?: string
  readonly stdio?: StdioOptions
}

const PIPES: StdioOptions = ['ignore', 'pipe', 'pipe']

const bin = join(import.meta.dirname, '../../bin')

/**
 * Plants chunks to be run by the real `bin/run.js`.
 *
 * @param chunks CommonJS by file name; `start.cjs` exports `run(argv, files, userAgent)`
 */
export function planted(chunks: Readonly<Record<string, string>>): Planted {
  const root = temporaryFolder()
  cpSync(bin, join(root, 'bin'), {recursive: true})
  writeFileSync(join(root, 'package.json'), '{"name": "storectl", "version": "1.2.3", "type": "module"}')
  const write = (chunk: string, code: string) => {
    const file = join(root, 'dist', chunk)
    mkdirSync(dirname(file), {recursive: true})
    writeFileSync(file, code)
  }
  for (const [chunk, code] of Object.entries(chunks)) write(chunk, code)
  return {
    root,
    write,
    start: (argv = [], {home = join(root, 'home'), stdio = PIPES} = {}) =>
      spawn(process.execPath, [join(root, 'bin', 'run.js'), ...argv], {
        env: {PATH: process.env.PATH ?? '', STORECTL_HOME: home},
        stdio,
      }),
  }
}
