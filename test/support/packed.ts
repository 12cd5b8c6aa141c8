import {execFile} from 'node:child_process'
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import type {TestProject} from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The tarball as `npm pack` made it. */
    readonly tarball: string
    /** The `storectl` of a global install of that tarball in a prefix that was empty. */
    readonly storectl: string
    /** The Node that runs it: `STORECTL_TEST_NODE`, else the one that runs the tests. */
    readonly node: string
  }
}

const run = promisify(execFile)

/** Packs and installs the command line once for all end-to-end tests; cleans up behind them. */
export default async function packed({provide, config}: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'storectl-packed-'))
  await run('npm', ['pack', '--pack-destination', folder], {cwd: config.root})
  const [name = ''] = await readdir(folder)
  const tarball = join(folder, name)
  const prefix = join(folder, 'prefix')
  await run('npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--ignore-scripts',
    '--prefer-offline',
    tarball,
  ])
  provide('tarball', tarball)
  provide('storectl', join(prefix, 'bin', 'storectl'))
  provide('node', process.env.STORECTL_TEST_NODE ?? process.execPath)
  return () => rm(folder, {recursive: true, force: true})
}
