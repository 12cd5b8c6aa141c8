import {execFile} from 'node:child_process'
import {mkdir, mkdtemp, readdir, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {promisify} from 'node:util'
import type {TestProject} from 'vitest/node'
import {SECRET_VARIABLES} from '../../src/auth/credentials/secrets.js'
import {canary, plainCanary} from './canaries.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** What the build says of a manifest and pages that are not those of the commands. Empty when they are. */
    readonly stale: string
    /** The tarball as `npm pack` made it of what was built. */
    readonly tarball: string
    /** By name the secrets in the environment that it was built and packed in. */
    readonly builtAmong: Readonly<Record<string, string>>
    /** The `storectl` of a global install of that tarball in a prefix that was empty. */
    readonly storectl: string
    /** The Node that runs it, and the tests. */
    readonly node: string
    /** The code cache that homes of tests share. */
    readonly compiledCode: string
  }
}

const run = promisify(execFile)

/** Names an executable of `npm run package` that is tested in place of the package. */
const EXECUTABLE = 'STORECTL_EXECUTABLE'

/** Builds, packs and installs the command line once for all end-to-end tests; cleans up behind them. */
export default async function packed({provide, config}: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'storectl-packed-'))
  const builtAmong = Object.fromEntries(SECRET_VARIABLES.map(variable => [variable, canary()]))
  const proxy = plainCanary()
  const env = {
    ...process.env,
    ...builtAmong,
    HTTPS_PROXY: `http://ada:${encodeURIComponent(proxy)}@127.0.0.1:1`,
  }
  provide('builtAmong', {...builtAmong, proxy})
  provide('stale', await build({cwd: config.root, env}))
  await run('npm', ['pack', '--ignore-scripts', '--offline', '--pack-destination', folder], {
    cwd: config.root,
    env,
  })
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
  // `env FILE …` becomes that file, so that tests which start a program by two words need not know.
  const executable = process.env[EXECUTABLE]
  provide('storectl', executable ? resolve(executable) : join(prefix, 'bin', 'storectl'))
  const compiledCode = join(folder, 'compiled')
  await mkdir(compiledCode, {mode: 0o700})
  provide('compiledCode', compiledCode)
  provide('node', executable ? '/usr/bin/env' : process.execPath)
  return () => rm(folder, {recursive: true, force: true})
}

/** Builds `dist`, as `npm ci` does. @returns what is stale beside it */
async function build(options: {readonly cwd: string; readonly env: NodeJS.ProcessEnv}): Promise<string> {
  try {
    await run(process.execPath, ['bin/build.js', '--check'], options)
    return ''
  } catch (error) {
    const {stderr} = error as {readonly stderr?: string}
    if (stderr?.startsWith('stale: ')) return stderr
    throw error
  }
}
