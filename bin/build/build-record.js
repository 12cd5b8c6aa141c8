'use strict'
const {execFileSync} = require('node:child_process')
const {createHash} = require('node:crypto')
const {readFileSync, readdirSync, writeFileSync} = require('node:fs')
const {join} = require('node:path')

/** Programs of the package that are not built. */
const PROGRAMS = ['backup', 'code-cache', 'help-page', 'keyring', 'run', 'script-cache'].map(
  name => `bin/${name}.js`,
)

/**
 * The commit of the sources.
 *
 * @returns {{commit: string, committedAt: string, isModified: boolean} | undefined} `committedAt` as RFC 3339 in UTC;
 *   `isModified` where files were changed since; `undefined` outside of a clone, or without git
 */
exports.readCommit = root => {
  try {
    const git = words =>
      execFileSync('git', words, {cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']})
    // A package that is installed below somebody else's clone is none of it.
    if (git(['rev-parse', '--show-prefix']).trim() !== '') return undefined
    const [commit, seconds] = git(['log', '-1', '--format=%H %ct']).trim().split(' ')
    const committedAt = new Date(seconds * 1000).toISOString().replace('.000', '')
    return {commit, committedAt, isModified: git(['status', '--porcelain']) !== ''}
  } catch {
    return undefined
  }
}

/**
 * Writes down what was built, and of which commit: `dist/build.json`, which `storectl version --check` reads.
 *
 * @param root the folder of package.json
 * @param folder holds `dist`
 * @param made text by path of what else was made
 */
exports.writeBuildRecord = (root, folder, made) => {
  const dist = readdirSync(join(folder, 'dist'), {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile() && !entry.name.endsWith('.map'))
    .map(entry =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
  const files = [
    ...dist.map(path => [path, readFileSync(join(folder, path))]),
    ...PROGRAMS.map(path => [path, readFileSync(join(root, path))]),
    ...Object.entries(made),
  ]
  const digests = files
    .map(([path, bytes]) => [path, createHash('sha256').update(bytes).digest('hex')])
    .sort()
  const record = {kind: 'npm', ...exports.readCommit(root), files: Object.fromEntries(digests)}
  writeFileSync(join(folder, 'dist', 'build.json'), `${JSON.stringify(record)}\n`)
}
