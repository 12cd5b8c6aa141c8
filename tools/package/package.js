#!/usr/bin/env node
// Makes what is published: `npm run package`. Runs in the Node that the executables carry, so that what Node and npm
// write does not depend on the one that is installed here.
'use strict'
const {execFileSync, spawnSync} = require('node:child_process')
const {createHash} = require('node:crypto')
const {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} = require('node:fs')
const {tmpdir} = require('node:os')
const {delimiter, dirname, join, resolve} = require('node:path')
const {readCommit} = require('../../bin/build/build-record.js')
const {readFlags} = require('../../bin/build/read-flags.js')
const {writeTar, xz} = require('./archives.js')
const {makeDebian, nameDebian} = require('./debian.js')
const {buildExecutable} = require('./executable/build.js')
const {fetchPackage} = require('./fetch-package.js')
const nodes = require('./nodes.json')
const {readPackageGraph, renderSbom} = require('./sbom.js')

const ARCHITECTURES = ['x64', 'arm64']
const PARTS = ['npm', ...ARCHITECTURES, 'sbom']

const HELP = `Makes what is published of this commit, in a folder: the npm package, and for Linux on x64 and arm64 an executable
and a Debian package; a bill of materials (CycloneDX), SHA256SUMS, and their signature.

  npm run package [-- --out DIR] [--only PART,…] [--sign KEY] [--quick]

  --out DIR      the folder (default: packages)
  --only PART,…  ${PARTS.join(', ')} (default: all)
  --sign KEY     signs SHA256SUMS with this private key of ssh-keygen, or a public one whose private key an agent has
  --quick        packs in seconds instead of minutes, and larger: for tests

It needs Linux on x64, git, npm, GNU tar and xz. What V8 compiles for arm64 is made by qemu-aarch64-static with the libraries
of Debian's libc6-arm64-cross and libstdc++6-arm64-cross, or left out: those executables then start more slowly.
`

const root = resolve(__dirname, '../..')
const {values} = readFlags(HELP, {
  options: {
    out: {type: 'string', default: join(root, 'packages')},
    only: {type: 'string', default: PARTS.join()},
    sign: {type: 'string'},
    quick: {type: 'boolean', default: false},
  },
})
const parts = values.only.split(',')
/** What was not done, and why. */
const missing = []

main().catch(error => {
  process.stderr.write(`${error.stderr?.length > 0 ? error.stderr : error.stack}\n`)
  process.exit(1)
})

async function main() {
  const unknown = parts.filter(part => !PARTS.includes(part))
  if (unknown.length > 0) return refuse(`no such part: ${unknown.join(', ')}; there are ${PARTS.join(', ')}`)
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return refuse('packages are made on Linux on x64: the executables are compiled by running Node for it')
  installOwnPackages()
  const hostNode = fetchNode('x64')
  if (process.execPath !== hostNode) return runIn(hostNode)
  const folder = mkdtempSync(join(tmpdir(), 'storectl-package-'))
  try {
    await makeAll(folder, hostNode)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

function refuse(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}

/** What only this needs is no part of an `npm ci` of the clone. */
function installOwnPackages() {
  if (existsSync(join(__dirname, 'node_modules', 'postject'))) return
  const words = ['ci', '--omit=optional', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  execFileSync('npm', words, {cwd: __dirname, stdio: ['ignore', 'ignore', 'inherit']})
}

function fetchNode(arch) {
  const name = `node-linux-${arch}`
  return join(fetchPackage(name, nodes.version, nodes.integrity[name]), 'bin', 'node')
}

function runIn(node) {
  const path = [dirname(node), process.env.PATH].join(delimiter)
  const env = {...process.env, PATH: path, NODE_OPTIONS: ''}
  const {status} = spawnSync(node, [__filename, ...process.argv.slice(2)], {stdio: 'inherit', env})
  process.exitCode = status ?? 1
}

async function makeAll(folder, hostNode) {
  const about = readCommit(root)
  if (about === undefined) throw new Error(`${root} is no clone: packages name their commit`)
  if (about.isModified) missing.push('a clean commit: files were changed since, and the packages say so')
  execFileSync(process.execPath, [join(root, 'bin/build.js'), '--check'], {stdio: 'pipe'})
  const {version, description, author} = require('../../package.json')
  if (author === undefined && ARCHITECTURES.some(arch => parts.includes(arch)))
    missing.push('a maintainer of the Debian packages: package.json has no author')
  const release = {about, version, description, author, folder, hostNode, date: new Date(about.committedAt)}
  mkdirSync(values.out, {recursive: true})
  const sums = new Map()
  const list = (name, bytes) => {
    sums.set(name, bytes)
    process.stdout.write(`${(bytes.length / 2 ** 20).toFixed(2).padStart(8)} MiB  ${name}\n`)
  }
  const add = (name, bytes) => {
    writeFileSync(join(values.out, name), bytes)
    list(name, bytes)
  }
  if (parts.includes('npm')) packForNpm(version, list)
  for (const arch of ARCHITECTURES.filter(each => parts.includes(each)))
    await makeForLinux(arch, release, {add, list})
  if (parts.includes('sbom')) add(`storectl-${version}.cdx.json`, await makeSbom(release))
  writeSums(sums)
  sign()
  process.stdout.write(missing.map(each => `not done: ${each}\n`).join(''))
}

function packForNpm(version, list) {
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', resolve(values.out)]
  execFileSync('npm', words, {cwd: root, stdio: ['ignore', 'ignore', 'inherit']})
  const name = `storectl-${version}.tgz`
  list(name, readFileSync(join(values.out, name)))
}

/** The executable, in an archive with manual and completions, and the Debian package. */
async function makeForLinux(arch, release, {add, list}) {
  const {version, date, about} = release
  const work = join(release.folder, arch)
  mkdirSync(work)
  const addon = fetchAddon(arch)
  const file = join(work, 'storectl')
  await buildExecutable({
    root,
    node: fetchNode(arch),
    hostNode: release.hostNode,
    runner: findRunner(arch),
    addon: addon.file,
    folder: work,
    file,
    about: {kind: 'executable', ...about},
  })
  const content = {
    ...release,
    arch,
    executable: readFileSync(file),
    completions: readCompletions(),
    manual: readManual(),
    licences: collectLicences(arch, addon.folder),
    changes: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    isQuick: values.quick,
  }
  const name = `storectl-${version}-linux-${arch}`
  const tar = writeTar(listFiles(name, content), date.getTime() / 1000, name)
  add(`${name}.tar.xz`, xz(tar, arch, values.quick))
  list(`${name}/storectl`, content.executable)
  add(nameDebian(version, arch), makeDebian(content))
}

function listFiles(name, {executable, completions, manual, licences}) {
  const files = [
    {path: 'LICENCES.txt', bytes: Buffer.from(licences)},
    {path: 'README.md', bytes: readFileSync(join(root, 'README.md'))},
    {path: 'completions/_storectl', bytes: Buffer.from(completions.zsh)},
    {path: 'completions/storectl', bytes: Buffer.from(completions.bash)},
    {path: 'completions/storectl.fish', bytes: Buffer.from(completions.fish)},
    ...[...manual].map(([page, bytes]) => ({path: `man/man${page.at(-1)}/${page}`, bytes})),
    {path: 'storectl', bytes: executable, mode: 0o755},
  ]
  return files.map(each => ({...each, path: `${name}/${each.path}`}))
}

/** The package of the keyring's native part, which the clone's lock file names for each machine. */
function fetchAddon(arch) {
  const name = `@napi-rs/keyring-linux-${arch}-gnu`
  const {packages} = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const {version, integrity, license} = packages[`node_modules/${name}`]
  const folder = fetchPackage(name, version, integrity)
  return {folder, name, version, licence: license, file: join(folder, `keyring.linux-${arch}-gnu.node`)}
}

/** What starts the Node of an architecture here. */
function findRunner(arch) {
  const node = fetchNode(arch)
  const words = arch === 'x64' ? [node] : ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu', node]
  const {status} = spawnSync(words[0], [...words.slice(1), '--version'], {stdio: 'ignore'})
  if (status === 0) return words
  missing.push(
    `what V8 compiles for ${arch}, for want of qemu-aarch64-static and the libraries of that machine`,
  )
  return undefined
}

function readCompletions() {
  const run = shell =>
    execFileSync(process.execPath, [join(root, 'bin/run.js'), 'completion', shell], {
      encoding: 'utf8',
      env: {STORECTL_HOME: join(tmpdir(), 'none'), PATH: process.env.PATH, STORECTL_TOKEN: 'none'},
    })
  return {bash: run('bash'), fish: run('fish'), zsh: run('zsh')}
}

function readManual() {
  const folder = join(root, 'dist/man')
  const pages = ['man1', 'man7'].flatMap(part => readdirSync(join(folder, part)).map(name => [part, name]))
  return new Map(pages.sort().map(([part, name]) => [name, readFileSync(join(folder, part, name))]))
}

/** Of storectl, what it bundles, Node with all that it carries, and the keyring's native part. */
function collectLicences(arch, addon) {
  const {renderLicence} = require('../../bin/build/licences.js')
  const node = dirname(dirname(fetchNode(arch)))
  const read = file => readFileSync(file, 'utf8')
  return [
    read(join(root, 'LICENSE')),
    read(join(root, 'dist/third-party-licences.txt')),
    `${'-'.repeat(80)}\nNode.js ${nodes.version}\n\n${read(join(node, 'LICENSE'))}`,
    renderLicence(join(root, 'node_modules/@napi-rs/keyring')),
    read(join(addon, 'LICENSE.third-party.md')),
  ].join('\n')
}

async function makeSbom({folder, about}) {
  const graph = await readPackageGraph(root, join(folder, 'bundle'))
  const {name, version, licence} = fetchAddon('x64')
  return renderSbom({
    graph,
    root,
    carried: [join(root, 'node_modules/swagger-ui-dist')],
    natives: [
      {name: 'node', version: nodes.version, licence: 'MIT', purl: `pkg:generic/node@${nodes.version}`},
      {name, version, licence, purl: `pkg:npm/${name.replace('@', '%40')}@${version}`},
    ],
    about,
  })
}

/** As `sha256sum --check` reads them. The file in an archive has a line of its own, for when it is unpacked. */
function writeSums(sums) {
  const digest = bytes => createHash('sha256').update(bytes).digest('hex')
  const lines = [...sums].sort().map(([name, bytes]) => `${digest(bytes)}  ${name}\n`)
  writeFileSync(join(values.out, 'SHA256SUMS'), lines.join(''))
}

/** A signature of `ssh-keygen -Y`, which needs no other program and no service. */
function sign() {
  const file = join(values.out, 'SHA256SUMS')
  rmSync(`${file}.sig`, {force: true})
  if (values.sign === undefined) return missing.push('a signature: give --sign KEY')
  execFileSync('ssh-keygen', ['-Y', 'sign', '-f', values.sign, '-n', 'storectl-release', file], {
    stdio: 'pipe',
  })
}
