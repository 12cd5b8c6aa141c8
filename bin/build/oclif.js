'use strict'
const {execFile} = require('node:child_process')
const {copyFile, readFile} = require('node:fs/promises')
const {join} = require('node:path')
const {promisify} = require('node:util')

/**
 * The manifest as `oclif manifest` makes it from the built commands, in a fixed order.
 *
 * @param root the folder of package.json
 * @param folder holds `dist`; what oclif reads and writes is put beside it
 */
exports.makeManifest = async (root, folder) => {
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'))
  await runOclif(folder, ['manifest'])
  const {commands, version} = JSON.parse(await readFile(join(folder, 'oclif.manifest.json'), 'utf8'))
  const sorted = Object.entries(commands).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify({commands: Object.fromEntries(sorted), version}, null, 2)}\n`
}

/** Runs oclif with nothing of the machine: no settings, no width, and no look at the registry for a newer one. */
function runOclif(folder, argv) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(STORECTL_|OCLIF_|XDG_|COLUMNS$)/.test(name))
  const env = {...Object.fromEntries(kept), OCLIF_SKIP_NEW_VERSION_CHECK: 'true', XDG_CACHE_HOME: folder}
  const oclif = require.resolve('oclif/bin/run.js')
  return promisify(execFile)(process.execPath, [oclif, ...argv], {cwd: folder, env})
}
