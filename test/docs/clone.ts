import {execFile} from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join, relative} from 'node:path'
import {promisify} from 'node:util'
import {onTestFinished} from 'vitest'
import {environmentOfNpm} from '../support/npm.js'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** What Git does not keep. */
const IGNORED = new Set(['.git', 'node_modules', 'dist', 'coverage'])

/** A clone of this tree as it is: what is not committed yet is in it, too. */
export interface Clone {
  /** Runs a line of shell in it, with a home and global packages of its own. */
  shell(line: string): Promise<{readonly exit: number; readonly printed: string}>
  /** Files that differ from what was cloned, in order. */
  changed(): string[]
  edit(path: string, change: (text: string) => string): void
  write(path: string, text: string): void
}

/** @param isInstalled whether it shares the packages of this tree: enough to build it, not to test it */
export function cloneTree(isInstalled: boolean): Clone {
  // Beside the packages that it shares, so that a build, which renames folders, has all on one disk.
  const beside = isInstalled ? join(ROOT, 'node_modules', '.test-clone-') : join(tmpdir(), 'storectl-clone-')
  const parent = mkdtempSync(beside)
  onTestFinished(() => rmSync(parent, {recursive: true, force: true}))
  const folder = join(parent, 'storectl')
  for (const name of readdirSync(ROOT).filter(each => !IGNORED.has(each)))
    cpSync(join(ROOT, name), join(folder, name), {recursive: true})
  if (isInstalled) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const before = readTree(folder)
  const home = join(parent, 'home')
  mkdirSync(home, {mode: 0o700})
  const prefix = join(parent, 'prefix')
  const env = {
    ...environmentOfNpm(),
    STORECTL_HOME: home,
    npm_config_prefix: prefix,
    npm_config_prefer_offline: 'true',
    PATH: `${join(prefix, 'bin')}:${process.env.PATH}`,
  }
  return {
    shell: line =>
      run('sh', ['-c', `exec 2>&1 </dev/null\n${line}`], {cwd: folder, env, maxBuffer: 2 ** 26}).then(
        ({stdout}) => ({exit: 0, printed: stdout}),
        ({code, stdout}) => ({exit: code, printed: stdout}),
      ),
    changed: () => {
      const after = readTree(folder)
      const paths = new Set([...before.keys(), ...after.keys()])
      return [...paths].filter(path => before.get(path) !== after.get(path)).sort()
    },
    edit: (path, change) => {
      const text = readFileSync(join(folder, path), 'utf8')
      const changed = change(text)
      if (changed === text) throw new Error(`nothing to change in ${path}`)
      writeFileSync(join(folder, path), changed)
    },
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), {recursive: true})
      writeFileSync(join(folder, path), text)
    },
  }
}

/** The text of each file that Git would keep, by its path. */
function readTree(root: string, folder = root): Map<string, string> {
  const entries = readdirSync(folder, {withFileTypes: true}).filter(({name}) => !IGNORED.has(name))
  return new Map(
    entries.flatMap(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory()
        ? [...readTree(root, path)]
        : [[relative(root, path), readFileSync(path, 'latin1')] as const]
    }),
  )
}
