'use strict'
const {execFileSync} = require('node:child_process')
const {createHash} = require('node:crypto')
const {chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync} = require('node:fs')
const {dirname, join} = require('node:path')
const {isModule, writeArchive} = require('./archive.js')
const {CACHED, JOINED} = require('./loader.js')
const {stripElf} = require('./strip.js')

/** Files of the package that an executable holds, beside `dist`. */
const FILES = [
  'bin/backup.js',
  'bin/help-page.js',
  'bin/keyring.js',
  'bin/run.js',
  'oclif.manifest.json',
  'package.json',
]

/** What of `dist` nothing reads while running. */
const UNREAD = /\.map$|^dist\/(?:build\.json|third-party-licences\.txt)$|^dist\/man\//

/** Node's own marks. */
const BLOB = 'NODE_SEA_BLOB'
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Makes an executable: Node, with the files of the package as an asset.
 *
 * @param {object} options
 * @param {string} options.root the folder of package.json, where `dist` is
 * @param {string} options.node the Node of the machine that it is for
 * @param {string} options.hostNode the same version for this machine
 * @param {string[] | undefined} options.runner starts `node` on this machine; where there is none, nothing is compiled
 * @param {string} options.addon the keyring's native part
 * @param {string} options.folder an empty one to work in
 * @param {string} options.file where to write
 * @param {object} options.about members of `dist/build.json`
 */
exports.buildExecutable = async options => {
  const {node, file, folder} = options
  const files = readFiles(options.root)
  const joined = listShared(options, files)
  const cached = options.runner ? compile(options, files, joined) : new Map()
  files.set('keyring.node', readFileSync(options.addon))
  for (const [path, bytes] of cached) files.set(path, bytes)
  files.set('dist/build.json', Buffer.from(describeBuild(options.about, files)))
  writeFileSync(join(folder, 'files'), writeArchive(files, joined))
  const blob = await makeBlob(options)
  mkdirSync(dirname(file), {recursive: true})
  writeFileSync(file, stripElf(readFileSync(node)), {mode: 0o755})
  chmodSync(file, 0o755)
  await inject(file, blob)
}

function readFiles(root) {
  const dist = readdirSync(join(root, 'dist'), {recursive: true, withFileTypes: true})
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(path => !UNREAD.test(path))
  return new Map([...FILES, ...dist].sort().map(path => [path, readSource(root, path)]))
}

/** A function cannot begin with the line that names an interpreter. */
function readSource(root, path) {
  const bytes = readFileSync(join(root, path))
  return isModule(path) ? Buffer.from(bytes.latin1Slice().replace(/^#!/, '//'), 'latin1') : bytes
}

/** Modules that most commands load: as one script, V8 has them in half the time. */
function listShared({folder, hostNode}, files) {
  const to = join(folder, 'listed')
  runCompiler([hostNode], writeArchive(files, []), to)
  return JSON.parse(readFileSync(join(to, 'shared.json'), 'utf8'))
}

/** What V8 caches of the scripts, made by the Node that will read it. */
function compile({folder, runner}, files, joined) {
  const to = join(folder, 'compiled')
  runCompiler(runner, writeArchive(files, joined), to)
  const paths = [JOINED, ...files.keys()].filter(isModule).map(path => `${path}${CACHED}`)
  return new Map(paths.flatMap(path => readIfThere(join(to, path)).map(bytes => [path, bytes])))
}

function runCompiler([program, ...words], archive, folder) {
  const file = join(folder, 'files')
  mkdirSync(folder)
  writeFileSync(file, archive)
  const all = [...words, '--predictable', '--random-seed=1', join(__dirname, 'compile.js'), file, folder]
  execFileSync(program, all, {env: {TZ: 'UTC'}, stdio: ['ignore', 'ignore', 'inherit']})
}

function readIfThere(file) {
  try {
    return [readFileSync(file)]
  } catch {
    return []
  }
}

function describeBuild(about, files) {
  const digest = bytes => createHash('sha256').update(bytes).digest('hex')
  const digests = Object.fromEntries([...files].map(([path, bytes]) => [path, digest(bytes)]))
  return `${JSON.stringify({...about, files: digests})}\n`
}

/** Node's preparation of what is injected. It holds the paths of its files as they are given, so these are short ones. */
async function makeBlob({root, folder, hostNode}) {
  const {rolldown} = require(require.resolve('rolldown', {paths: [root]}))
  const bundled = await rolldown({input: join(__dirname, 'main.js'), platform: 'node', logLevel: 'warn'})
  await bundled.write({file: join(folder, 'main.js'), format: 'cjs', comments: false})
  await bundled.close()
  const config = {
    main: 'main.js',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    // MiB: so much a command that ends soon allocates, and V8 would collect twice from the 1 MiB that it begins with.
    execArgv: ['--min-semi-space-size=4'],
    assets: {files: 'files', main: 'main.js'},
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  execFileSync(hostNode, ['--experimental-sea-config', 'config.json'], {cwd: folder, stdio: 'pipe'})
  return readFileSync(join(folder, 'blob'))
}

/** It warns of names of sections that it made itself. */
async function inject(file, blob) {
  const {warn} = console
  console.warn = () => {}
  try {
    await require('postject').inject(file, BLOB, blob, {sentinelFuse: FUSE})
  } finally {
    console.warn = warn
  }
}
