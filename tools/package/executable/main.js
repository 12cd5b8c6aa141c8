'use strict'
// What an executable runs first: `bin/run.js`, or a program that it starts in a process of its own, out of its assets.
const {getAsset, getRawAsset} = require('node:sea')
const {join} = require('node:path')
const {openArchive} = require('./archive.js')
const {createLoader} = require('./loader.js')

const ADDON = 'keyring.node'

/** The executable is no folder, so no file has a path below it. */
const root = process.execPath

const archive = openArchive(Buffer.from(getRawAsset('files')))
const {load} = createLoader(archive, root, requireOther, process.argv.includes('--debug'))

// `spawn(process.execPath, [join(root, 'bin/backup.js'), …])` starts Node with that file from a folder, and this from here.
const side = ['bin/backup.js', 'bin/keyring.js'].find(path => process.argv[2] === join(root, path))

if (side) runSideProgram(side)
else
  load('bin/run.js').run({
    root,
    read: archive.read,
    openLoader: () => ({load: path => load(`dist/${path}`), keep() {}}),
  })

function runSideProgram(path) {
  const [word] = process.argv.splice(2, 1)
  load(path, {
    startThread(workerData) {
      const {Worker} = require('node:worker_threads')
      return new Worker(getAsset('main', 'utf8'), {eval: true, workerData, argv: [word]})
    },
  })
}

/** Modules of Node, and the one that is native. */
function requireOther(name) {
  return name === '@napi-rs/keyring' ? loadAddon() : require(name)
}

/**
 * The keyring's native part. The system loads such code from a file alone: this one never has a name in any folder, so
 * nobody can put another in its place.
 */
function loadAddon() {
  if (!archive.has(ADDON)) throw new Error('Cannot find native binding')
  const {closeSync, constants, openSync, writeFileSync} = require('node:fs')
  const {homedir, tmpdir} = require('node:os')
  const unnamed = 0o20000000 | constants.O_DIRECTORY // O_TMPFILE of Linux
  let failure
  for (const findFolder of [homedir, tmpdir]) {
    let file
    try {
      file = openSync(findFolder(), constants.O_RDWR | unnamed, 0o700)
      writeFileSync(file, archive.read(ADDON))
      const module = {exports: {}}
      process.dlopen(module, `/proc/self/fd/${file}`)
      return module.exports
    } catch (error) {
      failure = error
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }
  throw failure
}
