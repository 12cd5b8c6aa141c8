#!/usr/bin/env node
// Builds dist/ and oclif.manifest.json; `--check` fails when the committed manifest is not what the commands say.
// Not published.
'use strict'
const {mkdir, readFile, rename, rm, writeFile} = require('node:fs/promises')
const {join, resolve} = require('node:path')
const {bundle} = require('./build/bundle.js')
const {writeLicences} = require('./build/licences.js')
const {makeManifest} = require('./build/manifest.js')
const {writeViewer} = require('./build/viewer.js')

const root = resolve(__dirname, '..')

build(process.argv.includes('--check'))

async function build(check) {
  const manifest = await replacing(join(root, 'dist'), async folder => {
    const output = await bundle(root, folder)
    const carried = await writeViewer(root, join(folder, 'viewer'))
    writeLicences(output, carried, join(folder, 'third-party-licences.txt'))
    return makeManifest(root, folder)
  })
  const file = join(root, 'oclif.manifest.json')
  if (!check) return writeFile(file, manifest)
  const committed = await readFile(file, 'utf8').catch(() => '')
  if (committed === manifest) return
  process.stderr.write('oclif.manifest.json is stale: run `npm run build` and commit it\n')
  process.exitCode = 1
}

/** Fills a folder beside the old one and then takes its place, so that a command started meanwhile finds all of it. */
async function replacing(target, fill) {
  const beside = join(root, 'node_modules', '.storectl-build', String(process.pid))
  try {
    await mkdir(beside, {recursive: true})
    const result = await fill(join(beside, 'dist'))
    await rename(target, join(beside, 'before')).catch(() => {})
    await rename(join(beside, 'dist'), target)
    return result
  } finally {
    await rm(beside, {recursive: true, force: true})
  }
}
