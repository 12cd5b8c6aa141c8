#!/usr/bin/env node
// Builds dist/, and what is generated from the commands. Not published.
'use strict'
const {existsSync} = require('node:fs')
const {mkdir, readFile, readdir, rename, rm, writeFile} = require('node:fs/promises')
const {dirname, join, resolve} = require('node:path')
const {readCommit, writeBuildRecord} = require('./build/build-record.js')
const {bundle} = require('./build/bundle.js')
const {checkChanges} = require('./build/change-packages.js')
const {makeCommandPages} = require('./build/command-pages.js')
const {writeLicences} = require('./build/licences.js')
const {makeManPages} = require('./build/man-pages.js')
const {makeManifest} = require('./build/oclif.js')
const {readFlags} = require('./build/read-flags.js')
const {writeViewer} = require('./build/viewer.js')
const {WIDTHS} = require('./help-page.js')

const HELP = `Builds dist/, and writes what the commands declare: oclif.manifest.json and docs/commands/.

  npm run build
  npm run build -- --check   writes neither, and fails when one of them is not what the commands declare
`

const root = resolve(__dirname, '..')
const PAGES = 'docs/commands'

const {values} = readFlags(HELP, {options: {check: {type: 'boolean'}}})
const refusal = findRefusal()
if (refusal) fail(refusal)
else void build(values.check)

/** Why there can be no build with the packages that are installed. */
function findRefusal() {
  const missing = findMissingPackages()
  if (missing.length > 0)
    return `storectl cannot be built without ${list(missing)}: run "npm install" in ${root} first`
  try {
    checkChanges()
  } catch ({message}) {
    return message
  }
}

/** Packages that the build bundles or works with, and that are not installed. */
function findMissingPackages() {
  const {devDependencies} = require('../package.json')
  return Object.keys(devDependencies).filter(name => !existsSync(join(root, 'node_modules', name)))
}

function list([first, ...others]) {
  return others.length === 0 ? first : `${first} and ${others.length} more packages`
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

async function build(isCheck) {
  const {manifest, pages} = await replaceDist(async folder => {
    const dist = join(folder, 'dist')
    const output = await bundle(root, dist)
    const carried = await writeViewer(root, join(dist, 'viewer'))
    writeLicences(output, carried, join(dist, 'third-party-licences.txt'))
    const manifest = await makeManifest(root, folder)
    const {buildSchemas, HELP_TOPICS, renderHelpPages} = require(join(dist, 'start.cjs'))
    await writeHelpPages(dist, renderHelpPages, JSON.parse(manifest))
    await writeSchemas(dist, await buildSchemas())
    // Outside of a clone the manual has the day of its build.
    const {committedAt = new Date().toISOString()} = readCommit(root) ?? {}
    const about = {...require('../package.json'), date: committedAt.slice(0, 10)}
    const manual = await makeManPages(renderHelpPages, HELP_TOPICS, JSON.parse(manifest), about)
    await Promise.all(
      [...manual].map(([name, text]) => write(join(dist, 'man', `man${name.at(-1)}`, name), text)),
    )
    writeBuildRecord(root, folder, {'oclif.manifest.json': manifest})
    return {manifest, pages: await makeCommandPages(renderHelpPages, JSON.parse(manifest), about.oclif)}
  })
  await settle(await findStale(manifest, pages), isCheck)
}

/** Fills a folder beside the old `dist` and then takes its place, so that a command started meanwhile finds all of it. */
async function replaceDist(fill) {
  const beside = join(root, 'node_modules', '.storectl-build', String(process.pid))
  try {
    await mkdir(beside, {recursive: true})
    const result = await fill(beside)
    await rename(join(root, 'dist'), join(beside, 'before')).catch(() => {})
    await rename(join(beside, 'dist'), join(root, 'dist'))
    return result
  } finally {
    await rm(beside, {recursive: true, force: true})
  }
}

/** What `--help` prints at the common widths. */
async function writeHelpPages(dist, renderHelpPages, manifest) {
  await mkdir(join(dist, 'help'))
  for (const width of WIDTHS) {
    const pages = await renderHelpPages(manifest, width)
    await writeFile(join(dist, 'help', `${width}.json`), JSON.stringify(pages))
  }
}

/** JSON Schemas of what scripts read. */
async function writeSchemas(dist, schemas) {
  await mkdir(join(dist, 'schemas'))
  for (const [name, schema] of schemas)
    await writeFile(join(dist, 'schemas', `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`)
}

/** Writes what is stale, or says what it is. */
async function settle(stale, isCheck) {
  if (!isCheck) return Promise.all(stale.map(([path, text]) => write(join(root, path), text)))
  if (stale.length > 0)
    fail(`stale: ${stale.map(([path]) => path).join(', ')}; run \`npm run build\` and commit them`)
}

async function write(file, text) {
  if (text === undefined) return rm(file)
  await mkdir(dirname(file), {recursive: true})
  await writeFile(file, text)
}

/** Generated files that have another text than they should, with that text; none for a page too many. */
async function findStale(manifest, pages) {
  const present = await readdir(join(root, PAGES)).catch(() => [])
  const files = new Map([
    ['oclif.manifest.json', manifest],
    ...[...new Set([...present, ...pages.keys()])].map(name => [`${PAGES}/${name}`, pages.get(name)]),
  ])
  const found = await Promise.all(
    [...files.keys()].map(path => readFile(join(root, path), 'utf8').catch(() => {})),
  )
  return [...files].filter(([, text], at) => text !== found[at])
}
