#!/usr/bin/env node
// Builds dist/ and oclif.manifest.json; `--docs` writes docs/commands/ as well, and `--check` writes neither but fails
// when what is committed is not what the commands declare. Not published.
'use strict'
const {mkdir, readFile, readdir, rename, rm, writeFile} = require('node:fs/promises')
const {join, resolve} = require('node:path')
const {bundle} = require('./build/bundle.js')
const {writeLicences} = require('./build/licences.js')
const {makeManifest, makePages} = require('./build/oclif.js')
const {writeViewer} = require('./build/viewer.js')
const {WIDTHS} = require('./help-page.js')

const root = resolve(__dirname, '..')
const manifestFile = join(root, 'oclif.manifest.json')
const pagesFolder = join(root, 'docs/commands')

void build(new Set(process.argv.slice(2)))

async function build(options) {
  const wantsPages = options.has('--docs') || options.has('--check')
  const {manifest, pages} = await replaceDist(async folder => {
    const dist = join(folder, 'dist')
    const output = await bundle(root, dist)
    const carried = await writeViewer(root, join(dist, 'viewer'))
    writeLicences(output, carried, join(dist, 'third-party-licences.txt'))
    const manifest = await makeManifest(root, folder)
    await writeHelpPages(dist, JSON.parse(manifest))
    return {
      manifest,
      pages: wantsPages ? await makePages(folder) : undefined,
    }
  })
  if (options.has('--check')) return check(manifest, pages)
  await writeFile(manifestFile, manifest)
  if (options.has('--docs')) await writePages(pages)
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
async function writeHelpPages(dist, manifest) {
  const {renderHelpPages} = require(join(dist, 'start.cjs'))
  await mkdir(join(dist, 'help'))
  for (const width of WIDTHS) {
    const pages = await renderHelpPages(manifest, width)
    await writeFile(join(dist, 'help', `${width}.json`), JSON.stringify(pages))
  }
}

async function writePages(pages) {
  await rm(pagesFolder, {recursive: true, force: true})
  await mkdir(pagesFolder, {recursive: true})
  for (const [name, text] of pages) await writeFile(join(pagesFolder, name), text)
}

async function check(manifest, pages) {
  const committed = await readFile(manifestFile, 'utf8').catch(() => '')
  const stale = committed === manifest ? [] : ['oclif.manifest.json']
  const names = new Set([...pages.keys(), ...(await readdir(pagesFolder).catch(() => []))])
  for (const name of names) {
    const text = await readFile(join(pagesFolder, name), 'utf8').catch(() => undefined)
    if (text !== pages.get(name)) stale.push(`docs/commands/${name}`)
  }
  if (stale.length === 0) return
  process.stderr.write(`stale: ${stale.join(', ')}; run \`npm run docs\` and commit them\n`)
  process.exitCode = 1
}
