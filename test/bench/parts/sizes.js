import {execFile} from 'node:child_process'
import {copyFile, mkdir, readdir, rm, stat} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {promisify} from 'node:util'
import {median, plainEnvironment} from '../processes.js'
import {isInstalled} from '../programs.js'

export const about = 'what an installation takes: bytes, files, and time from a warm cache'

const MIB = 1024 * 1024
const run = promisify(execFile)
const QUIETLY = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--loglevel', 'error']

/** What a clone's `npm ci` may take. */
const CLONE = {seconds: 15, mib: 300}

/** Packages of a clone that are named. */
const NAMED = 12

export async function* bench(options) {
  const installed = []
  for (const program of [storectl(options), stripe(options), gh(options)]) {
    installed.push(
      await measure(program, options).catch(error => ({name: program.name, note: explain(error)})),
    )
  }
  for (const [title, unit, member] of [
    ['installed', 'MiB', 'mib'],
    ['installed', 'files', 'files'],
    ['time to install', 's', 'seconds'],
  ]) {
    yield {title, unit, rows: installed.map(({name, note, ...found}) => ({name, note, value: found[member]}))}
  }
  if (options.executable) yield await ofExecutable(options)
  yield* cloneOf(options)
}

/** One file as it is, and as it is packed. */
async function ofExecutable({executable, home}) {
  const {size} = await stat(executable)
  const packed = join(home, 'packed.xz')
  const x86 = process.arch === 'x64' ? '--x86' : ''
  await run('sh', ['-c', `xz ${x86} --lzma2=preset=6e --threads=1 --stdout "$0" > "$1"`, executable, packed])
  const rows = [
    {name: 'the file', value: size / MIB},
    {name: 'packed by xz', value: (await stat(packed)).size / MIB, note: 'aim ≤ 32 MiB'},
  ]
  return {title: 'one file', unit: 'MiB', rows}
}

/** The package as `npm pack` makes it, with what npm installs beside it. */
function storectl({root, home}) {
  return {
    name: 'storectl, by npm',
    prepare: async () => {
      const {stdout} = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', home], {
        cwd: root,
      })
      const [{filename, unpackedSize, entryCount}] = JSON.parse(stdout)
      const note = `the package alone: ${(unpackedSize / MIB).toFixed(1)} MiB, ${entryCount} files`
      return {install: folder => installByNpm(folder, join(home, filename)), note}
    },
  }
}

function stripe() {
  return {
    name: '@stripe/cli, by npm',
    prepare: async () => ({install: folder => installByNpm(folder, '@stripe/cli')}),
  }
}

function gh({home}) {
  return {
    name: 'gh, the package of Debian',
    prepare: async () => {
      if (!isInstalled('apt-get') || !isInstalled('dpkg-deb')) throw new Error('no apt-get here')
      await run('apt-get', ['download', 'gh'], {cwd: home})
      const file = (await readdir(home)).find(name => /^gh_.*\.deb$/.test(name))
      return {install: folder => run('dpkg-deb', ['-x', join(home, file), folder]), note: file}
    },
  }
}

function installByNpm(folder, what) {
  const env = plainEnvironment()
  return run('npm', ['install', '--prefix', folder, ...QUIETLY, what], {cwd: folder, env})
}

/** The first installation fills the cache; then as many are timed as runs were asked for. */
async function measure({name, prepare}, {home, repeats}) {
  const {install, note} = await prepare()
  const seconds = []
  let found
  for (let at = 0; at <= repeats; at++) {
    const folder = join(home, 'installed')
    await rm(folder, {recursive: true, force: true})
    await mkdir(folder)
    const begin = performance.now()
    await install(folder)
    if (at > 0) seconds.push((performance.now() - begin) / 1000)
    found = await sizeOf(folder)
  }
  return {name, note, mib: found.bytes / MIB, files: found.files, seconds: median(seconds)}
}

async function sizeOf(folder) {
  const entries = await readdir(folder, {recursive: true, withFileTypes: true})
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
  let bytes = 0
  for (const file of files) bytes += (await stat(file)).size
  return {bytes, files: files.length}
}

/** `npm ci` of a clone, without the build behind it. */
async function* cloneOf({root, home}) {
  const folder = join(home, 'clone')
  await mkdir(folder)
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(join(root, file), join(folder, file))
  const install = () => run('npm', ['ci', ...QUIETLY], {cwd: folder, env: plainEnvironment()})
  try {
    await install()
    const begin = performance.now()
    await install()
    const seconds = (performance.now() - begin) / 1000
    const modules = join(folder, 'node_modules')
    const {bytes, files} = await sizeOf(modules)
    const note = `aim ≤ ${CLONE.seconds} s and ≤ ${CLONE.mib} MiB; ${files} files, ${(bytes / MIB).toFixed(0)} MiB`
    yield {
      title: 'npm ci of a clone, from a warm cache',
      unit: 's',
      rows: [{name: 'npm ci', value: seconds, note}],
    }
    yield {title: 'the largest packages of a clone', unit: 'MiB', rows: await largestPackages(modules)}
  } catch (error) {
    yield {title: 'npm ci of a clone', unit: 's', rows: [{name: 'npm ci', note: explain(error)}]}
  }
}

async function largestPackages(modules) {
  const names = (await readdir(modules)).filter(name => !name.startsWith('.'))
  const sizes = await Promise.all(
    names.map(async name => ({name, value: (await sizeOf(join(modules, name))).bytes / MIB})),
  )
  return sizes.sort((a, b) => b.value - a.value).slice(0, NAMED)
}

/** One line; a machine without a registry or without apt measures the rest. */
function explain(error) {
  const [line] = String(error.stderr || error.message)
    .trim()
    .split('\n')
  return `not measured: ${line.slice(0, 100)}`
}
