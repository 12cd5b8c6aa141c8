import {execFile} from 'node:child_process'
import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'
import {onTestFinished} from 'vitest'
import {environmentOfNpm} from '../support/npm.js'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** A clone of this tree as it is: what is not committed yet is in it, too. */
export interface Clone {
  readonly folder: string
  /** Runs a line of shell in it, with a home, a cache and global packages of its own. */
  shell(line: string): Promise<{readonly exit: number; readonly printed: string}>
  /** Files that differ from what was cloned. */
  changed(): Promise<string[]>
  edit(path: string, change: (text: string) => string): void
  write(path: string, text: string): void
}

/** @param isInstalled whether it shares the packages of this tree: enough to build it, not to test it */
export async function cloneTree(isInstalled: boolean): Promise<Clone> {
  // Beside the packages that it shares, so that a build, which renames folders, has all on one disk.
  const beside = isInstalled ? join(ROOT, 'node_modules', '.test-clone-') : join(tmpdir(), 'storectl-clone-')
  const parent = mkdtempSync(beside)
  onTestFinished(() => rmSync(parent, {recursive: true, force: true}))
  const folder = join(parent, 'storectl')
  const git = (argv: string[], cwd = folder) => run('git', argv, {cwd, maxBuffer: 2 ** 26})
  const {stdout} = await git(['ls-files', '-z', '--cached', '--others', '--exclude-standard'], ROOT)
  for (const path of stdout.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true})
    cpSync(join(ROOT, path), join(folder, path))
  }
  if (isInstalled) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await git(['init', '--quiet'])
  await git(['add', '--all'])
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  await git([...author, 'commit', '--quiet', '--message', 'Clone'])
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
    folder,
    shell: line =>
      run('sh', ['-c', `exec 2>&1 </dev/null\n${line}`], {cwd: folder, env, maxBuffer: 2 ** 26}).then(
        ({stdout}) => ({exit: 0, printed: stdout}),
        ({code, stdout}) => ({exit: code, printed: stdout}),
      ),
    changed: async () => {
      const {stdout: status} = await git(['status', '--porcelain', '--untracked-files=all'])
      const paths = status.split('\n').map(line => line.slice(3))
      return paths.filter(path => path !== '' && path !== 'node_modules').sort()
    },
    edit: (path, change) => {
      const before = readFileSync(join(folder, path), 'utf8')
      const after = change(before)
      if (after === before) throw new Error(`nothing to change in ${path}`)
      writeFileSync(join(folder, path), after)
    },
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), {recursive: true})
      writeFileSync(join(folder, path), text)
    },
  }
}
